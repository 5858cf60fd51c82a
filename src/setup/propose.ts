import { join } from 'node:path';
import { configurationIn } from '../configuration/load-configuration.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { type Money, sum, ZERO } from '../kernel/money.ts';
import { shownNumber } from '../kernel/text.ts';
import { idsOf, isCompanionProfile, isSalesProfile } from '../sales/load-profiles.ts';
import type { SalesProfile } from '../sales/profile.ts';
import {
  type FolderSurvey,
  patternOf,
  problemOf,
  type RecognisedFile,
  type ShipFrom,
} from './survey-folder.ts';
import { type FailedTrial, type Trial, trialConfiguration, tryExports } from './try-exports.ts';

/** What follows from the exports of a folder, with assumptions where they show nothing. */
export type Proposal = {
  readonly shipFrom: ShipFrom;
  /** The states in which most sales were taxed, and the one that orders are sent from. */
  readonly registrations: readonly StateFacts[];
  /** Other states with tax in the exports. */
  readonly taxedElsewhere: readonly StateFacts[];
  readonly channels: readonly ProposedChannel[];
  readonly certificates: readonly string[];
  /** Files that the proposed keys do not cover. */
  readonly left: readonly string[];
};

/** Totals of the sales into one state whose tax no marketplace remits. */
export type StateFacts = {
  readonly state: string;
  readonly sales: number;
  /** Sales on which the seller charged tax, and that tax. */
  readonly taxed: number;
  readonly tax: Money;
  /** The first day of the month of the first of them; where there is none, of the first in any state. */
  readonly since: string;
};

export type ProposedChannel = {
  readonly name: string;
  readonly title: string;
  /** The id of a profile, or a profile file in the folder. */
  readonly profile: string;
  readonly isOwn: boolean;
  readonly files: readonly string[];
  readonly refundDates: readonly string[];
  readonly orders: number;
  readonly refunds: number;
  readonly first: CalendarDate | undefined;
  readonly last: CalendarDate | undefined;
  /** What a person should check about its files. */
  readonly checks: readonly string[];
};

export type ProposePorts = {
  readonly shipFrom: ShipFrom;
  readonly timeZone: string;
};

/** Exports of one profile with their companions, and what a close would read from them. */
type ReadChannel = {
  /** The shop's name; other kinds of export from the same shop share it. */
  readonly name: string;
  readonly profile: SalesProfile;
  readonly ownFile: string | undefined;
  readonly sources: readonly string[];
  readonly companions: readonly RecognisedFile[];
  readonly trials: readonly Trial[];
  readonly orders: number;
  readonly refunds: number;
};

/**
 * Propose a configuration for the exports of a folder. Writes nothing.
 *
 * @throws {TieoutError} E_INIT_NO_EXPORTS when no sale can be read from any of its files
 */
export const propose = async (
  folder: string,
  survey: FolderSurvey,
  ports: ProposePorts,
): Promise<Proposal> => {
  const failed: FailedTrial[] = [];
  const read = await readChannels(folder, survey, ports, failed);
  if (!read.some(({ trials }) => trials.length > 0)) throw noExports(folder, survey, failed);
  const { kept, leftOut } = oneKindOfEachShop(read);
  const taken = new Set(read.flatMap(({ companions }) => companions));
  const strays = survey.recognised.filter(
    (file) => isCompanionProfile(file.found.profile) && !taken.has(file),
  );
  return {
    shipFrom: ports.shipFrom,
    ...proposedStates(
      kept.flatMap(({ trials }) => trials),
      ports.shipFrom.state,
    ),
    channels: kept.map((channel) => proposedChannel(channel, survey)),
    certificates: survey.certificates,
    left: [
      ...leftOut,
      ...strays.map(({ entry, found }) => `${entry}: ${found.profile.title}; name it beside its orders`),
      ...failed.map(
        ({ name, error }) =>
          `${baseOf(name)} cannot be read: ${problemOf(error)}. ${error.nextStep.replace(/\.$/, '')}`,
      ),
      ...survey.strange.flatMap(({ entry, what, step }) =>
        step === undefined ? [] : `${entry} is not read: ${what}. ${step}`,
      ),
    ],
  };
};

/** Form a channel from the exports of each profile, and read it as a close would. */
const readChannels = async (
  folder: string,
  { recognised, ownProfiles }: FolderSurvey,
  { shipFrom, timeZone }: ProposePorts,
  failed: FailedTrial[],
): Promise<readonly ReadChannel[]> => {
  const sales = recognised.flatMap(({ entry, found: { profile } }) =>
    isSalesProfile(profile) ? [{ entry, profile }] : [],
  );
  const groups = [...Map.groupBy(sales, ({ profile }) => profile.id).values()];
  const present = new Set(sales.map(({ profile }) => profile.id));
  const shops = groups.filter(([first]) => first?.profile.map.marketplace !== 'always').length;
  const channels: ReadChannel[] = [];
  for (const [first, ...others] of groups) {
    if (!first) continue;
    const { profile } = first;
    const { id } = profile;
    const isAlone = shops === 1 && profile.map.marketplace !== 'always';
    const companions = recognised.filter(
      ({ found }) =>
        isCompanionProfile(found.profile) &&
        (found.profile.companionOf?.some((one) => idsOf(profile, present).includes(one)) ?? isAlone),
    );
    const ownFile = ownProfiles.get(id);
    const words = id.split('.');
    const name = (ownFile === undefined ? words[0] : words.at(-1)) ?? id;
    const sources = [...new Set([first, ...others].map(({ entry }) => entry))];
    const settings = trialConfiguration({ name, profile: ownFile ?? id, timeZone, shipFrom });
    const configuration = configurationIn(join(folder, 'tieout.yaml'), settings);
    const [channel] = configuration.channels;
    const entries = [...sources, ...companions.map(({ entry }) => entry)];
    const tried = channel ? await tryExports({ configuration, channel }, entries) : [];
    failed.push(...tried.filter((trial) => 'error' in trial));
    // Refunds dated by a companion are reported with it. An archive may hold the exports of other channels.
    const trials = tried.filter(
      (trial): trial is Trial =>
        !('error' in trial) &&
        (trial.detected.profile.id === id || isCompanionProfile(trial.detected.profile)),
    );
    const count = (kind: 'order' | 'refund'): number =>
      trials.flatMap((trial) => trial.sales).filter((sale) => sale.kind === kind).length;
    const counts = { orders: count('order'), refunds: count('refund') };
    channels.push({ name, profile, ownFile, sources, companions, trials, ...counts });
  }
  return channels;
};

/**
 * Keep one kind of export of each shop, since two kinds hold the same sales: the one with the most refunds, then the one
 * with the most orders. A missing order is seen, a missing refund is only more tax. A person is told of the others.
 */
const oneKindOfEachShop = (read: readonly ReadChannel[]) => {
  const shops = [...Map.groupBy(read, ({ name }) => name).values()].map((kinds) =>
    kinds.sort((left, right) => right.refunds - left.refunds || right.orders - left.orders),
  );
  const leftOut = shops.flatMap(([best, ...others]) =>
    others.map(
      ({ sources, profile, orders, refunds }) =>
        `${sources.join(', ')}: ${profile.title} with ${shownNumber(orders, 'order')} and ${shownNumber(refunds, 'refund')}; left out, because two kinds of export of one shop count its sales twice, and ${best?.profile.title} has as many refunds or more. Check that it has these sales`,
    ),
  );
  return { kept: shops.flatMap(([best]) => best ?? []), leftOut };
};

const proposedChannel = (
  { name, profile, ownFile, sources, companions, trials, orders, refunds }: ReadChannel,
  { recognised, strange, certificates }: FolderSurvey,
): ProposedChannel => {
  const all = [...recognised, ...strange].map(({ entry }) => entry).concat(certificates);
  const listed = (entries: readonly string[]): readonly string[] => {
    const others = all.filter((entry) => !entries.includes(entry));
    return [...new Set(entries.map((entry) => patternOf(entry, others)))];
  };
  const files = listed(sources);
  const refundDates = listed(companions.map(({ entry }) => entry));
  const days = trials.flatMap((trial) => trial.sales.map(({ businessDate }) => businessDate)).sort();
  return {
    name,
    title: profile.title,
    profile: ownFile ?? profile.id,
    isOwn: ownFile !== undefined,
    files,
    refundDates,
    orders,
    refunds,
    first: days[0],
    last: days.at(-1),
    checks: [
      ...(orders + refunds === 0
        ? [`no sale could be read from ${files.join(', ')}; \`tieout profile test FILE\` says why`]
        : []),
      ...(refunds === 0
        ? [
            `${profile.title} has no refunds; where something was given back, take an export that has them (docs/channels.md)`,
          ]
        : []),
      ...[...files, ...refundDates]
        .filter((file) => all.includes(file))
        .map((file) => `${file} is named by itself; name the next download here as well`),
    ],
  };
};

/** Tax on fewer sales of a state than these is probably a mistake. */
const FEW = 3;

/**
 * Propose the states where at least half of the sales were taxed, and more than a few, and the one that orders are sent
 * from: of those that have a sales tax. None is where the seller has no sales of which the tax is his own.
 */
const proposedStates = (
  trials: readonly Trial[],
  home: string,
): Pick<Proposal, 'registrations' | 'taxedElsewhere'> => {
  const own = trials
    .flatMap(({ sales }) => sales)
    .filter(
      ({ kind, shipTo, exemptionType }) =>
        kind === 'order' && shipTo.country === 'US' && exemptionType !== 'marketplace',
    );
  if (own.length === 0) return { registrations: [], taxedElsewhere: [] };
  const isTaxed = ({ salesTax }: { readonly salesTax: Money }): boolean => salesTax > ZERO;
  const states = Map.groupBy(own, ({ shipTo }) => shipTo.state);
  const rows = [...new Set([...states.keys(), home])]
    .filter((state) => loadFilingLaw().nexus.some((law) => law.state === state))
    .sort()
    .map((state): StateFacts => {
      const sales = states.get(state) ?? [];
      const taxed = sales.filter(isTaxed);
      const [first] = (taxed.length > 0 ? taxed : own.filter(isTaxed))
        .map((sale) => sale.businessDate)
        .sort();
      return {
        state,
        sales: sales.length,
        taxed: taxed.length,
        tax: sum(taxed.map(({ salesTax }) => salesTax)),
        since: first === undefined ? '2000-01-01' : `${first.slice(0, 7)}-01`,
      };
    });
  const isProposed = ({ state, sales, taxed }: StateFacts): boolean =>
    state === home || (taxed >= FEW && taxed * 2 >= sales);
  return {
    registrations: rows.filter(isProposed),
    taxedElsewhere: rows.filter((row) => row.taxed > 0 && !isProposed(row)),
  };
};

const baseOf = (name: string): string => name.replace(/^.*[\\/]/, '');

const NAMED_MAX = 5;

export const noExports = (
  folder: string,
  { recognised, strange }: FolderSurvey,
  failed: readonly FailedTrial[],
): TieoutError => {
  const others = [
    ...failed.map(({ name, error }) => `${baseOf(name)}: ${problemOf(error)}`),
    ...strange.map(({ entry, what }) => `${entry}: ${what}`),
    ...recognised
      .filter(({ file }) => !failed.some(({ name }) => name === file.name))
      .map(({ entry, found }) => `${entry}: ${found.profile.title}, which has no sales`),
  ];
  const more = others.length > NAMED_MAX ? [`and ${others.length - NAMED_MAX} more`] : [];
  const steps = [
    ...strange.flatMap(({ entry, step }) => (step === undefined ? [] : `${entry}: ${step}`)),
    ...recognised.flatMap(({ found: { profile } }) => ('advice' in profile ? profile.advice : [])),
    'Put the order exports of your shops there, as CSV or XLSX; docs/channels.md says which to download.',
  ];
  return new TieoutError({
    code: 'E_INIT_NO_EXPORTS',
    message: `${folder}: ${others.length === 0 ? 'the folder has no files' : `no file is an export of sales that can be read (${[...others.slice(0, NAMED_MAX), ...more].join('; ')})`}`,
    nextStep: steps[0] ?? '',
  });
};
