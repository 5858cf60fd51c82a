import { stringify } from 'yaml';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import { shownCount, shownDollars, shownNumber } from '../kernel/text.ts';
import {
  check,
  type Line,
  type Proposal,
  type ProposedChannel,
  type ProposedRegistration,
  type Seller,
} from './proposal.ts';

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
  seller: Seller,
  inFolder: (name: string) => string,
): ConfigurationText => {
  const { channels, certificates } = proposal;
  const lines: readonly Line[] = [
    '# Written by `tieout init`. docs/configuration.md explains every key.',
    '# A comment with CHECK marks what the exports do not show: decide it before you file.',
    `entity: ${seller.entity}`,
    `name: ${scalar(seller.name)}`,
    '',
    ...zoneLines(seller),
    '',
    ...shipFromLines(proposal),
    '',
    ...registrationLines(proposal),
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

const zoneLines = ({ timeZone, isZoneSure }: Seller): readonly Line[] =>
  isZoneSure
    ? ['# Decides which day, and so which month, a sale belongs to.', `timeZone: ${timeZone}`]
    : [
        '# CHECK assumed: decides which day, and so which month, a sale belongs to. There is another zone in your state.',
        check(
          `timeZone: ${timeZone}`,
          `time zone ${timeZone} is assumed: there is another one in the state that orders are sent from`,
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
          `  # A marketplace remits the tax of ${shownCount(facts.marketplace)} of these sales, by what the export says of each.`,
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
  const undivided = open.get('refund-not-split');
  const others = [...open].filter(([code]) => code !== 'refund-not-split').sort();
  const codes = others.map(([code, count]) => `${shownCount(count)} ${code}`).join(', ');
  return [
    ...(others.length === 0
      ? []
      : [
          '',
          check(
            `# CHECK records in these exports that a person has to look at: ${codes}.`,
            `records of these exports that keep their months from being READY until a person decides: ${codes}`,
          ),
        ]),
    ...(undivided === undefined
      ? []
      : [
          '',
          `# CHECK ${shownCount(undivided)} refunds of a part are not divided into goods, shipping and tax by their export.`,
          '# prorate: divide them as their order is. hold: leave each to a person.',
          check(
            'policy: { undividedRefunds: prorate }',
            `${shownCount(undivided)} partial refunds are not divided into goods, shipping and tax by their export; check \`undividedRefunds: prorate\``,
          ),
        ]),
  ];
};

/** The registrations, and what the exports say of other states. */
const registrationLines = ({ registrations, quiet }: Proposal): readonly Line[] => [
  '# The states in which the seller has to collect. Correct `since` to the first day of the permit: here it is the first',
  '# month with tax in the exports. Add `account: "..."`, and `frequency: quarterly` where returns are not monthly.',
  ...headLines(registrations.map(({ state }) => state)),
  ...registrations.map((row) => `  - ${rowText(row)} # ${taxText(row)}`),
  ...feeLines(registrations.map(({ state }) => state)),
  ...quiet.flatMap(quietLines),
];

const rowText = ({ state, since }: ProposedRegistration): string => `{ state: ${state}, since: "${since}" }`;

const taxText = ({ facts }: ProposedRegistration): string =>
  facts && facts.taxed > 0
    ? `tax of ${shownDollars(facts.tax)} on ${shownCount(facts.taxed)} of ${shownNumber(facts.sales, 'sale')}`
    : 'no tax in the exports';

const headLines = (registered: readonly string[]): readonly Line[] =>
  registered.length === 0
    ? [
        '# CHECK assumed: none, because the exports show no state in which you charge tax.',
        '# Add a line for each permit that you hold:',
        '#   - { state: CA, since: "2026-01-01" }',
        check(
          'registrations: []',
          'registrations: none assumed, because the exports show no state in which you charge tax; add the states in which you hold a permit',
        ),
      ]
    : [
        '# CHECK assumed: the states in which most sales were taxed, and the one that orders are sent from. Remove those without a permit.',
        check(
          'registrations:',
          `registrations: ${registered.join(', ')} assumed, where most sales were taxed or orders are sent from; check permits, first days and frequencies`,
        ),
      ];

/** The delivery fees of states of which a person has to say whether they are owed. */
const feeLines = (registered: readonly string[]): readonly Line[] => {
  const asked = loadFilingLaw().fees.filter(
    ({ state, amount }) => amount === undefined && registered.includes(state),
  );
  return [...new Map(asked.map((fee) => [fee.state, fee.name]))].map(([state, name]) =>
    check(
      `  # CHECK ${state}: ${name}. Add \`deliveryFee: none\` to its line if you owe none, else the dollars for a sale.`,
      `${state}: say with \`deliveryFee\` whether you owe the ${name}; a month with deliveries there is not READY before`,
    ),
  );
};

/** A state that is not among the registrations: tax charged on a few sales there is for a person to judge. */
const quietLines = (row: ProposedRegistration): readonly Line[] => {
  const { state, facts } = row;
  if (!facts) return [];
  const volume = `${state}: ${shownNumber(facts.sales, 'sale')} of ${shownDollars(facts.gross)}, ${taxText(row)}`;
  if (facts.taxed === 0) return [`  # ${volume}`];
  return [
    check(
      `  # CHECK ${volume}`,
      `${volume}, and it is not among the registrations; are you registered there?`,
    ),
    `  # - ${rowText(row)} # with a permit there, remove the first # of this line`,
  ];
};
