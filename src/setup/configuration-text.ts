import { stringify } from 'yaml';
import { shownCount as counted, shownNumber } from '../kernel/shown-figures.ts';
import { check, type Decisions, type Line, type Proposal, type ProposedChannel } from './proposal.ts';
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
  const { channels, certificates } = proposal;
  const lines: readonly Line[] = [
    '# Written by `tieout init`. docs/configuration.md explains every key.',
    '# A comment with CHECK marks what the exports do not show: decide it before you file.',
    `entity: ${said.entity}`,
    `name: ${scalar(said.name)}`,
    '',
    ...zoneLines(said),
    '',
    ...shipFromLines(proposal),
    '',
    ...registrationLines(proposal, said),
    '',
    'channels:',
    ...channels.flatMap((channel) => channelLines(channel, inFolder)),
    ...proposal.left.map((what) => check(`  # CHECK ${what}.`, what)),
    '',
    '# Products that some states tax differently, by SKU, name or the channel’s category; everything else is taxed as general goods. `tieout content` lists the codes.',
    '# categories:',
    '#   - { sku: "TEE-*", code: "20010" }',
    ...(certificates.length === 0
      ? []
      : [
          '',
          '# Registers of exemption certificates: exempt sales are checked against them.',
          `certificates: ${scalar(certificates.map(inFolder))}`,
        ]),
    ...policyLines(proposal),
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

const scalar = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trimEnd();

const zoneLines = ({ timeZone, isZoneSure }: Decisions): readonly Line[] =>
  isZoneSure
    ? ['# Decides which day, and so which month, a sale belongs to.', `timeZone: ${timeZone}`]
    : [
        '# CHECK assumed: decides which day, and so which month, a sale belongs to. There is another zone near your ZIP code.',
        check(
          `timeZone: ${timeZone}`,
          `time zone ${timeZone} is assumed: there is another one near the ZIP code that orders are sent from`,
        ),
      ];

const shipFromLines = ({ shipFrom: { zip, states, city, street } }: Proposal): readonly Line[] => {
  const [state = '', ...others] = states;
  const text = (part: string): string => JSON.stringify(part);
  const line = `shipFrom: { country: US, state: ${state}, zip: ${text(zip)}, city: ${text(city)}, street: ${text(street)} }`;
  return [
    `# Where orders are sent from when the export does not say.${street === '' ? ' Add city and street.' : ''}`,
    others.length === 0
      ? line
      : check(
          line,
          `ship-from: ZIP codes such as ${zip} are in ${[state, ...others].join(' or ')}; check the state`,
        ),
  ];
};

const channelLines = (
  {
    name,
    title,
    profile,
    isOwn,
    files,
    refundDates,
    alone,
    isMarketplace,
    isWithoutRefunds,
    facts,
  }: ProposedChannel,
  inFolder: (name: string) => string,
): readonly Line[] => {
  const checked = (what: string): Line => check(`  # CHECK ${what}.`, `${name}: ${what}`);
  const remitted = isMarketplace
    ? ['  # The marketplace collects and remits the tax of these sales.']
    : facts.marketplace > 0
      ? [
          `  # A marketplace remits the tax of ${counted(facts.marketplace)} of these sales, by what the export says of each.`,
        ]
      : [];
  return [
    `  # ${title}: ${shownNumber(facts.orders, 'order')} and ${shownNumber(facts.refunds, 'refund')}${facts.first === undefined ? '' : ` from ${facts.first} to ${facts.last}`}.`,
    ...remitted,
    ...(facts.orders + facts.refunds === 0
      ? [checked(`no sale could be read from ${files.join(', ')}; \`tieout profile test FILE\` says why`)]
      : []),
    ...(isWithoutRefunds
      ? [
          checked(
            `${title} has no refunds; where something was given back, take an export that has them (docs/channels.md)`,
          ),
        ]
      : []),
    ...alone.map((file) => checked(`${file} is named by itself; name the next download here as well`)),
    ...facts.notices.map(checked),
    `  - name: ${name}`,
    `    profile: ${scalar(isOwn ? inFolder(profile) : profile)}`,
    `    files: ${scalar(files.map(inFolder))}`,
    ...(refundDates.length > 0 ? [`    refundDates: ${scalar(refundDates.map(inFolder))}`] : []),
    ...(facts.open.has('unknown-location')
      ? [
          check(
            '    # CHECK sales in person are held until each place of business has its address:',
            `${name}: give each place of business that is named above its address`,
          ),
          '    # locations:',
          '    #   NAME: { country: US, state: .., zip: ".....", city: "", street: "" }',
        ]
      : []),
  ];
};

const policyLines = ({ open }: Proposal): readonly Line[] => {
  const undivided = counted(open.get('refund-not-split') ?? 0);
  const others = [...open].filter(([code]) => code !== 'refund-not-split').sort();
  const codes = others.map(([code, count]) => `${counted(count)} ${code}`).join(', ');
  return [
    '',
    'policy:',
    ...(open.has('refund-not-split')
      ? [
          `  # CHECK ${undivided} refunds of a part are not divided into goods, shipping and tax by their export.`,
          '  # prorate: divide them as their order is. hold: leave each to a person.',
          check(
            '  undividedRefunds: prorate',
            `${undivided} partial refunds are not divided into goods, shipping and tax by their export; check \`undividedRefunds: prorate\``,
          ),
        ]
      : []),
    ...(others.length > 0
      ? [
          check(
            `  # CHECK records in these exports that a person has to look at: ${codes}.`,
            `records of these exports that keep their months from being READY until a person decides: ${codes}`,
          ),
        ]
      : []),
    '  # Sales that need a person keep a month from being READY. Once you have decided that one may stay, list it:',
    '  # accept:',
    '  #   - { record: "#1035", code: zip-not-in-state, why: asked the customer for the address }',
    '  accept: []',
  ];
};
