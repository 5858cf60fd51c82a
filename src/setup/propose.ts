import { join } from 'node:path';
import { stringify } from 'yaml';
import { configurationIn } from '../configuration/load-configuration.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import { ZERO } from '../kernel/money.ts';
import { compareText, shownNumber } from '../kernel/text.ts';
import { companionsName, isCompanionProfile, isSalesProfile } from '../sales/detect-profile.ts';
import type { Sale } from '../sales/sale.ts';
import { type FolderSurvey, patternOf, type RecognisedFile, type ShipFrom } from './survey-folder.ts';
import { trialConfiguration, tryExports } from './try-exports.ts';

/** What the file states of the seller beside what follows from the exports. */
export type Seller = {
  readonly entity: string;
  readonly name: string;
  readonly timeZone: string;
  readonly shipFrom: ShipFrom;
  /** Whether a person said the zone, or the ZIP code leaves no other. */
  readonly isZoneSure: boolean;
};

/** A line of the file, or one that a person should check, with what to check in it. */
type Line = string | { readonly text: string; readonly decide: string };

const check = (what: string, indent = ''): Line => ({ text: `${indent}# CHECK ${what}.`, decide: what });

/**
 * Propose a commented configuration for the exports of a folder, and list the lines that rest on an assumption.
 * Writes nothing.
 *
 * @param inFolder returns the path of a file in the folder, relative to the configuration
 * @throws {TieoutError} E_EXPORT_… when an export cannot be read to its end
 */
export const propose = async (
  folder: string,
  survey: FolderSurvey,
  seller: Seller,
  inFolder: (name: string) => string,
) => {
  const exports = survey.recognised.filter(({ found }) => isSalesProfile(found.profile));
  const kinds = [...Map.groupBy(exports, ({ found }) => found.profile.id).values()];
  const read = await Array.fromAsync(kinds, (sources) =>
    readChannel(folder, sources, survey, { ...seller, isAlone: kinds.length === 1 }),
  );
  const { channels, leftOut } = oneKindOfEachShop(read);
  const sales = channels.flatMap((channel) => channel.sales);
  const days = sales.map(({ businessDate }) => businessDate).sort();
  const { state, zip, city, street } = seller.shipFrom;
  const registrations = proposedStates(sales, state);
  const states = registrations.map((row) => row.state).join(', ');
  const listed = (names: readonly string[]): string => scalar(names.map(inFolder));
  const lines: readonly Line[] = [
    '# Written by `tieout init`. docs/configuration.md explains every key.',
    '# A comment with CHECK marks what the exports do not show: decide it before you file.',
    `entity: ${seller.entity}`,
    `name: ${scalar(seller.name)}`,
    '',
    '# Decides which day, and so which month, a sale belongs to.',
    ...(seller.isZoneSure
      ? []
      : [check(`time zone ${seller.timeZone} is assumed: there is another one in the state of --ship-from`)]),
    `timeZone: ${seller.timeZone}`,
    '',
    '# Where orders are sent from when the export does not say.',
    `shipFrom: { country: US, state: ${state}, zip: ${quoted(zip)}, city: ${quoted(city)}, street: ${quoted(street)} }`,
    '',
    '# The states in which you have to collect. Correct `since` to the first day of the permit: here it is the first month',
    '# with tax in the exports. Add `account: "..."`, and `frequency: quarterly` where returns are not monthly.',
    check(
      states === ''
        ? 'registrations: none assumed, because the exports show no state in which you charge tax; add the states in which you hold a permit'
        : `registrations: ${states} assumed, where most sales were taxed or orders are sent from; check permits, first days and frequencies`,
    ),
    states === '' ? 'registrations: []' : 'registrations:',
    ...registrations.map(
      (row) => `  - { state: ${row.state}, since: "${row.since}" } # ${row.taxed} of ${row.sales} taxed`,
    ),
    '',
    'channels:',
    ...channels.flatMap(({ name, profile, isOwn, title, files, refundDates, refunds }): readonly Line[] => [
      ...(refunds > 0
        ? []
        : [
            check(
              `${name}: ${title} has no refunds; where something was given back, take an export that has them (docs/channels.md)`,
              '  ',
            ),
          ]),
      `  - name: ${name}`,
      `    profile: ${scalar(isOwn ? inFolder(profile) : profile)}`,
      `    files: ${listed(files)}`,
      ...(refundDates.length > 0 ? [`    refundDates: ${listed(refundDates)}`] : []),
    ]),
    ...leftOut.map((what) => check(what, '  ')),
    '',
    '# Products that some states tax differently, by SKU, name or the channel’s category; everything else is taxed as general goods. docs/content.md lists the codes.',
    '# categories:',
    '#   - { sku: "TEE-*", code: "20010" }',
    ...(survey.certificates.length === 0 ? [] : ['', `certificates: ${listed(survey.certificates)}`]),
    '',
    '# Workbooks go to output/<entity>/<period>/, beside this file.',
    'output: output',
  ];
  return {
    text: `${lines.map((line) => (typeof line === 'string' ? line : line.text)).join('\n')}\n`,
    decisions: lines.flatMap((line, index) =>
      typeof line === 'string' ? [] : [{ line: index + 1, what: line.decide }],
    ),
    channels,
    states,
    lastDay: days.at(-1),
  };
};

const quoted = (text: string): string => JSON.stringify(text);

const scalar = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trimEnd();

type ReadChannel = Awaited<ReturnType<typeof readChannel>>;

/** Read the exports of one profile as a close would, with the companions that name it, or that can only be of it. */
const readChannel = async (
  folder: string,
  sources: readonly RecognisedFile[],
  { recognised, strange, certificates, ownProfiles }: FolderSurvey,
  { shipFrom, timeZone, isAlone }: Seller & { readonly isAlone: boolean },
) => {
  const { profile } = (sources[0] as RecognisedFile).found;
  const companions = recognised.filter(
    ({ found: { profile: beside } }) =>
      isCompanionProfile(beside) && (companionsName(beside, profile) ?? isAlone),
  );
  const ownFile = ownProfiles.get(profile.id);
  const words = profile.id.split('.');
  // Other kinds of export from the same shop share its name.
  const name = (ownFile === undefined ? words[0] : words.at(-1)) ?? profile.id;
  const named = { name, profile: ownFile ?? profile.id };
  const settings = trialConfiguration(named, timeZone, shipFrom);
  const configuration = configurationIn(join(folder, 'tieout.yaml'), settings);
  const [channel] = configuration.channels;
  const trials = channel ? await tryExports({ configuration, channel }, [...sources, ...companions]) : [];
  const sales = trials.flatMap((trial) => trial.sales);
  const all = [...[...recognised, ...strange].map(({ entry }) => entry), ...certificates];
  const patterns = (files: readonly RecognisedFile[]): readonly string[] => {
    const own = files.map(({ entry }) => entry);
    const others = all.filter((entry) => !own.includes(entry));
    return [...new Set(own.map((entry) => patternOf(entry, others)))];
  };
  const orders = sales.filter(({ kind }) => kind === 'order').length;
  return {
    ...named,
    title: profile.title,
    isOwn: ownFile !== undefined,
    files: patterns(sources),
    refundDates: patterns(companions),
    orders,
    refunds: sales.length - orders,
    sales,
  };
};

/**
 * Keep one kind of export of each shop, since two kinds hold the same sales: the one with the most refunds, then the one
 * with the most orders. A missing order is seen, a missing refund is only more tax. A person is told of the others.
 */
const oneKindOfEachShop = (read: readonly ReadChannel[]) => {
  const channels: ReadChannel[] = [];
  const leftOut: string[] = [];
  for (const kinds of Map.groupBy(read, ({ name }) => name).values()) {
    const [best, ...others] = kinds.sort(
      (one, other) => other.refunds - one.refunds || other.orders - one.orders,
    );
    if (best) channels.push(best);
    for (const { files, title, orders, refunds } of others)
      leftOut.push(
        `${files.join(', ')}: ${title} with ${shownNumber(orders, 'order')} and ${shownNumber(refunds, 'refund')}; left out, because two kinds of export of one shop count its sales twice, and ${best?.title} has as many refunds or more. Check that it has these sales`,
      );
  }
  return { channels, leftOut };
};

/** Tax on fewer sales of a state than these is probably a mistake. */
const FEW = 3;

/**
 * Propose the states where at least half of the sales were taxed, and more than a few, and the one that orders are sent
 * from: of those that have a sales tax. None is where the seller has no sales of which the tax is his own.
 */
const proposedStates = (sales: readonly Sale[], home: string) => {
  const own = sales.filter(
    ({ kind, shipTo, exemptionType }) =>
      kind === 'order' && shipTo.country === 'US' && exemptionType !== 'marketplace',
  );
  if (own.length === 0) return [];
  const allTaxed = own.filter(({ salesTax }) => salesTax > ZERO);
  return [...new Set(loadFilingLaw().nexus.map(({ state }) => state))]
    .map((state) => {
      const all = own.filter(({ shipTo }) => shipTo.state === state);
      const taxed = allTaxed.filter(({ shipTo }) => shipTo.state === state);
      const [first] = (taxed.length > 0 ? taxed : allTaxed).map(({ businessDate }) => businessDate).sort();
      const since = first === undefined ? '2000-01-01' : `${first.slice(0, 7)}-01`;
      return { state, since, sales: all.length, taxed: taxed.length };
    })
    .filter((row) => row.state === home || (row.taxed >= FEW && row.taxed * 2 >= row.sales))
    .sort((one, other) => compareText(one.state, other.state));
};
