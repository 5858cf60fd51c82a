import { stringify } from 'yaml';
import { shownCount as counted, shownNumber } from '../../kernel/shown-figures.ts';
import { usRegionsOfZip } from '../../kernel/us-regions.ts';
import { check, type Line } from './checked-line.ts';
import type { Decisions, Proposal, ProposedChannel } from './proposal.ts';
import { registrationLines } from './registration-text.ts';

/** A line of the file that a person should check. */
export type OpenDecision = { readonly line: number; readonly what: string };

export type ConfigurationText = {
  readonly text: string;
  readonly decisions: readonly OpenDecision[];
};

/**
 * Write a proposal as a commented configuration, and list the lines that rest on an assumption.
 *
 * @param inFolder returns the path of a file in the folder, relative to the configuration
 */
export const configurationText = (
  proposal: Proposal,
  said: Decisions,
  inFolder: (name: string) => string,
): ConfigurationText => {
  const { shipFrom } = proposal;
  const lines: readonly Line[] = [
    '# Written by `tieout init`. docs/configuration.md explains every key.',
    '# A comment with CHECK marks what the exports do not show: decide it before you file.',
    `entity: ${said.entity}`,
    `name: ${scalar(said.name)}`,
    '',
    ...zoneLines(proposal, said),
    '',
    `# Where orders are sent from when the export does not say.${shipFrom.street === '' ? ' Add city and street.' : ''}`,
    `shipFrom: ${addressText(shipFrom)}`,
    '',
    ...registrationLines(proposal, said),
    '',
    'channels:',
    ...proposal.channels.flatMap((channel) => channelLines(channel, said, inFolder)),
    ...proposal.left.map((what) => check(`  # CHECK ${what}.`, what)),
    ...categoryLines(proposal),
    ...certificateLines(proposal, inFolder),
    ...policyLines(proposal, said),
    '',
    '# Workbooks go to output/<entity>/<period>/, beside this file.',
    'output: output',
  ];
  return {
    text: `${lines.map((line) => (typeof line === 'string' ? line : line.text)).join('\n')}\n`,
    decisions: lines.flatMap((line, index) =>
      typeof line === 'string' ? [] : [{ line: index + 1, what: line.decide }],
    ),
  };
};

const addressText = ({ state, zip, city, street }: Proposal['shipFrom']): string =>
  `{ country: US, state: ${state}, zip: "${zip}", city: ${quoted(city)}, street: ${quoted(street)} }`;

/** Quote a text for a YAML flow mapping, whatever characters it has. */
const quoted = (text: string): string => JSON.stringify(text);

const scalar = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trimEnd();

const zoneLines = ({ isZoneProven }: Proposal, { timeZone, isZoneSaid }: Decisions): readonly Line[] => {
  if (isZoneSaid || isZoneProven)
    return [
      `# Decides which day, and so which month, a sale belongs to${isZoneSaid ? '' : '; the dates of the exports show it'}.`,
      `timeZone: ${timeZone}`,
    ];
  return [
    '# CHECK assumed: decides which day, and so which month, a sale belongs to.',
    check(`timeZone: ${timeZone}`, `time zone ${timeZone} is assumed; the exports do not show it`),
  ];
};

const channelLines = (
  channel: ProposedChannel,
  said: Decisions,
  inFolder: (name: string) => string,
): readonly Line[] => {
  const { name, title, profile, isOwn, files, refundDates, isMarketplace, isWithoutRefunds, facts, places } =
    channel;
  return [
    `  # ${title}: ${shownNumber(facts.orders, 'order')} and ${shownNumber(facts.refunds, 'refund')}${facts.first === undefined ? '' : ` from ${facts.first} to ${facts.last}`}.`,
    ...(isMarketplace ? ['  # The marketplace collects and remits the tax of these sales.'] : []),
    ...(!isMarketplace && facts.marketplace > 0
      ? [
          `  # A marketplace remits the tax of ${counted(facts.marketplace)} of these sales, by what the export says of each.`,
        ]
      : []),
    ...(facts.orders + facts.refunds === 0
      ? [
          check(
            `  # CHECK no sale could be read from ${files.join(', ')}: \`tieout profile test FILE\` says why.`,
            `${name}: no sale could be read from ${files.join(', ')}`,
          ),
        ]
      : []),
    ...(isWithoutRefunds
      ? [
          check(
            '  # CHECK this kind of export has no refunds: where something was given back, take an export that has them.',
            `${name}: ${title} has no refunds; where something was given back, take an export that has them (docs/channels.md)`,
          ),
        ]
      : []),
    ...facts.notices.map((notice) => check(`  # CHECK ${notice}.`, `${name}: ${notice}`)),
    `  - name: ${name}`,
    `    profile: ${scalar(isOwn ? inFolder(profile) : profile)}`,
    `    files: ${scalar(files.map(inFolder))}`,
    ...(refundDates.length > 0 ? [`    refundDates: ${scalar(refundDates.map(inFolder))}`] : []),
    ...placeLines(name, places, said),
  ];
};

/** List addresses for several places of business. A single place needs none: it is taken to be the seller's address. */
const placeLines = (
  channel: string,
  places: readonly string[],
  { placeZips }: Decisions,
): readonly Line[] => {
  if (places.length < 2) return [];
  const known = places.flatMap((place) => {
    const zip = placeZips.get(placeKey(channel, place));
    const [state] = zip === undefined ? [] : usRegionsOfZip(zip);
    return state === undefined ? [] : [{ place, zip, state }];
  });
  const missing = places.filter((place) => !known.some((one) => one.place === place));
  const line = (place: string, state: string, zip: string): string =>
    `${scalar(place)}: ${addressText({ state, zip, city: '', street: '' })}`;
  return [
    ...(known.length > 0
      ? ['    locations:', ...known.map(({ place, zip, state }) => `      ${line(place, state, zip ?? '')}`)]
      : []),
    ...(missing.length > 0
      ? [
          check(
            '    # CHECK these places of business have no address yet; sales made there are held until they have one.',
            `${channel}: give each place of business its address: ${missing.join(', ')}`,
          ),
          ...(known.length > 0 ? [] : ['    # locations:']),
          ...missing.map((place) => `    #   ${line(place, '..', '.....')}`),
        ]
      : []),
  ];
};

/** Key of a place of business, unique across channels. */
export const placeKey = (channel: string, place: string): string => `${channel}\n${place}`;

/** Maximum number of prefixes shown without a guess; the rest are taxed as general goods as well. */
const PREFIXES_MAX = 20;

const categoryLines = ({ categories }: Proposal): readonly Line[] => {
  const guessed = categories.filter(({ guess }) => guess !== undefined);
  const others = categories.filter(({ guess }) => guess === undefined).slice(0, PREFIXES_MAX);
  if (categories.length === 0) return [];
  return [
    '',
    '# Products that some states tax differently, by SKU. Everything else is taxed as general goods.',
    ...(guessed.length > 0
      ? [
          '# CHECK assumed from the names of the items.',
          check(
            'categories:',
            `categories: ${guessed.map(({ sku, guess }) => `${sku} as ${guess?.what}`).join(', ')} are guesses from item names`,
          ),
        ]
      : ['# categories:']),
    ...guessed.map(
      ({ sku, guess, lines, example }) =>
        `  - { sku: ${scalar(sku)}, code: "${guess?.code}" } # ${guess?.what}: ${shownNumber(lines, 'line')}, such as ${comment(example)}`,
    ),
    ...others.map(
      ({ sku, lines, example }) => `  # ${sku}: ${shownNumber(lines, 'line')}, such as ${comment(example)}`,
    ),
  ];
};

const certificateLines = ({ certificates }: Proposal, inFolder: (name: string) => string): readonly Line[] =>
  certificates.length === 0
    ? []
    : [
        '',
        '# Registers of exemption certificates: exempt sales are checked against them.',
        `certificates: ${scalar(certificates.map(inFolder))}`,
      ];

const policyLines = ({ undividedRefunds, open }: Proposal, said: Decisions): readonly Line[] => [
  '',
  'policy:',
  ...(undividedRefunds > 0
    ? [
        check(
          `  # CHECK ${counted(undividedRefunds)} refunds of a part are not divided into goods, shipping and tax by their export.`,
          `${counted(undividedRefunds)} partial refunds are not divided into goods, shipping and tax by their export; check \`undividedRefunds: ${said.undividedRefunds}\``,
        ),
        '  # prorate: divide them as their order is. hold: leave each to a person.',
        `  undividedRefunds: ${said.undividedRefunds}`,
      ]
    : []),
  ...openLines(open),
  '  # Sales that need a person keep a month from being READY. Once you have decided that one may stay, list it:',
  '  # accept:',
  '  #   - { record: "#1035", code: zip-not-in-state, why: asked the customer for the address }',
  '  accept: []',
];

const openLines = (open: ReadonlyMap<string, number>): readonly Line[] => {
  const others = [...open].filter(([code]) => code !== 'refund-not-split').sort();
  const codes = others.map(([code, count]) => `${counted(count)} ${code}`).join(', ');
  return others.length === 0
    ? []
    : [
        check(
          `  # CHECK records in these exports that a person has to look at: ${codes}.`,
          `${shownNumber(
            others.reduce((sum, [, count]) => sum + count, 0),
            'record',
          )} of these exports keep their months from being READY until a person decides: ${codes}`,
        ),
      ];
};

const comment = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 60);
