import { stringify } from 'yaml';
import { shownCount, shownDollars, shownNumber } from '../kernel/text.ts';
import type { Proposal, ProposedChannel, StateFacts } from './propose.ts';
import type { ShipFrom } from './survey-folder.ts';

/** What the file states of the seller beside what follows from the exports. */
export type Seller = {
  readonly entity: string;
  readonly name: string;
  readonly timeZone: string;
  readonly shipFrom: ShipFrom;
  /** Whether a person said the zone, or the ZIP code leaves no other. */
  readonly isZoneSure: boolean;
};

/** A line of the file that a person should check. */
export type OpenDecision = { readonly line: number; readonly what: string };

export type ConfigurationText = {
  readonly text: string;
  readonly decisions: readonly OpenDecision[];
};

/** A line, or one that a person should check, with what to check in it. */
type Line = string | { readonly text: string; readonly decide: string };

const check = (what: string, indent = ''): Line => ({ text: `${indent}# CHECK ${what}.`, decide: what });

/**
 * Write a proposal as a commented configuration, and list the lines that rest on an assumption.
 *
 * @param inFolder returns the path of a file in the folder, relative to the configuration
 */
export const configurationText = (
  proposal: Proposal,
  { entity, name, timeZone, shipFrom, isZoneSure }: Seller,
  inFolder: (name: string) => string,
): ConfigurationText => {
  const { channels, certificates, left } = proposal;
  const { state, zip, city, street } = shipFrom;
  const lines: readonly Line[] = [
    '# Written by `tieout init`. docs/configuration.md explains every key.',
    '# A comment with CHECK marks what the exports do not show: decide it before you file.',
    `entity: ${entity}`,
    `name: ${scalar(name)}`,
    '',
    '# Decides which day, and so which month, a sale belongs to.',
    ...(isZoneSure
      ? []
      : [
          check(
            `time zone ${timeZone} is assumed: there is another one in the state that orders are sent from`,
          ),
        ]),
    `timeZone: ${timeZone}`,
    '',
    '# Where orders are sent from when the export does not say.',
    `shipFrom: { country: US, state: ${state}, zip: ${quoted(zip)}, city: ${quoted(city)}, street: ${quoted(street)} }`,
    '',
    ...registrationLines(proposal),
    '',
    'channels:',
    ...channels.flatMap((channel) => channelLines(channel, inFolder)),
    ...left.map((what) => check(what, '  ')),
    '',
    '# Products that some states tax differently, by SKU, name or the channel’s category; everything else is taxed as general goods. docs/content.md lists the codes.',
    '# categories:',
    '#   - { sku: "TEE-*", code: "20010" }',
    ...(certificates.length === 0 ? [] : ['', `certificates: ${scalar(certificates.map(inFolder))}`]),
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

const quoted = (text: string): string => JSON.stringify(text);

const scalar = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trimEnd();

const channelLines = (
  { name, title, profile, isOwn, files, refundDates, orders, refunds, first, last, checks }: ProposedChannel,
  inFolder: (name: string) => string,
): readonly Line[] => [
  `  # ${title}: ${shownNumber(orders, 'order')} and ${shownNumber(refunds, 'refund')}${first === undefined ? '' : ` from ${first} to ${last}`}.`,
  ...checks.map((what) => check(`${name}: ${what}`, '  ')),
  `  - name: ${name}`,
  `    profile: ${scalar(isOwn ? inFolder(profile) : profile)}`,
  `    files: ${scalar(files.map(inFolder))}`,
  ...(refundDates.length > 0 ? [`    refundDates: ${scalar(refundDates.map(inFolder))}`] : []),
];

const registrationLines = ({ registrations, taxedElsewhere }: Proposal): readonly Line[] => {
  const states = registrations.map(({ state }) => state).join(', ');
  return [
    '# The states in which you have to collect. Correct `since` to the first day of the permit: here it is the first month',
    '# with tax in the exports. Add `account: "..."`, and `frequency: quarterly` where returns are not monthly.',
    check(
      states === ''
        ? 'registrations: none assumed, because the exports show no state in which you charge tax; add the states in which you hold a permit'
        : `registrations: ${states} assumed, where most sales were taxed or orders are sent from; check permits, first days and frequencies`,
    ),
    states === '' ? 'registrations: []' : 'registrations:',
    ...registrations.map((row) => `  - { state: ${row.state}, since: "${row.since}" } # ${taxText(row)}`),
    ...(taxedElsewhere.length > 0
      ? [
          check(
            `tax was charged in ${taxedElsewhere.join(', ')}, too: add these where you hold a permit`,
            '  ',
          ),
        ]
      : []),
  ];
};

const taxText = ({ taxed, tax, sales }: StateFacts): string =>
  taxed > 0
    ? `tax of ${shownDollars(tax)} on ${shownCount(taxed)} of ${shownNumber(sales, 'sale')}`
    : 'no tax in the exports';
