import { join } from 'node:path';
import { configurationIn } from '../configuration/load-configuration.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type Money, sum, ZERO } from '../kernel/money.ts';
import { shownNumber } from '../kernel/text.ts';
import { companionsName, isCompanionProfile, isSalesProfile } from '../sales/load-profiles.ts';
import type { SalesProfile } from '../sales/profile.ts';
import type { Sale } from '../sales/sale.ts';
import { type FolderSurvey, patternOf, type RecognisedFile, type ShipFrom } from './survey-folder.ts';
import { trialConfiguration, tryExports } from './try-exports.ts';

/** What follows from the exports of a folder, with assumptions where they show nothing. */
export type Proposal = {
  /** The states in which most sales were taxed, and the one that orders are sent from. */
  readonly registrations: readonly StateFacts[];
  /** Other states with tax in the exports. */
  readonly taxedElsewhere: readonly string[];
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
  /** The shop's name; other kinds of export from the same shop share it. */
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

/** What a person says of the shop. */
type Shop = { readonly shipFrom: ShipFrom; readonly timeZone: string };

/** A channel, and what a close would read of it. */
type ReadChannel = { readonly channel: ProposedChannel; readonly sales: readonly Sale[] };

/** The files of the folder that one channel reads. */
type ChannelFiles = {
  readonly profile: SalesProfile;
  readonly sources: readonly RecognisedFile[];
  readonly companions: readonly RecognisedFile[];
};

/**
 * Propose a configuration for the exports of a folder. Writes nothing.
 *
 * @throws {TieoutError} E_EXPORT_… when an export cannot be read to its end
 */
export const propose = async (folder: string, survey: FolderSurvey, shop: Shop): Promise<Proposal> => {
  const channels = channelsIn(survey);
  const read: ReadChannel[] = [];
  for (const files of channels) read.push(await readChannel(folder, files, survey, shop));
  const { kept, leftOut } = oneKindOfEachShop(read);
  const strays = survey.recognised.filter(
    (file) =>
      isCompanionProfile(file.found.profile) && !channels.some(({ companions }) => companions.includes(file)),
  );
  return {
    ...proposedStates(
      kept.flatMap(({ sales }) => sales),
      shop.shipFrom.state,
    ),
    channels: kept.map(({ channel }) => channel),
    certificates: survey.certificates,
    left: [
      ...leftOut,
      ...strays.map(({ entry, found }) => `${entry}: ${found.profile.title}; name it beside its orders`),
      ...survey.strange.flatMap(({ entry, what, step }) =>
        step === undefined ? [] : `${entry} is not read: ${what}. ${step}`,
      ),
    ],
  };
};

/** Form a channel from the exports of each profile, with the companions that name it, or of the only shop. */
const channelsIn = ({ recognised }: FolderSurvey): readonly ChannelFiles[] => {
  const groups = Map.groupBy(recognised, ({ found }) => found.profile.id).values();
  const sales = [...groups].flatMap((sources) => {
    const profile = sources[0]?.found.profile;
    return profile && isSalesProfile(profile) ? [{ profile, sources }] : [];
  });
  const shops = sales.filter(({ profile }) => profile.map.marketplace !== 'always');
  return sales.map(({ profile, sources }) => {
    const isAlone = shops.length === 1 && shops[0]?.profile === profile;
    const companions = recognised.filter(
      ({ found: { profile: beside } }) =>
        isCompanionProfile(beside) && (companionsName(beside, profile) ?? isAlone),
    );
    return { profile, sources, companions };
  });
};

const readChannel = async (
  folder: string,
  { profile, sources, companions }: ChannelFiles,
  survey: FolderSurvey,
  { shipFrom, timeZone }: Shop,
): Promise<ReadChannel> => {
  const ownFile = survey.ownProfiles.get(profile.id);
  const words = profile.id.split('.');
  const name = (ownFile === undefined ? words[0] : words.at(-1)) ?? profile.id;
  const named = { name, title: profile.title, profile: ownFile ?? profile.id, isOwn: ownFile !== undefined };
  const settings = trialConfiguration({ name, profile: named.profile, timeZone, shipFrom });
  const configuration = configurationIn(join(folder, 'tieout.yaml'), settings);
  const [channel] = configuration.channels;
  const trials = channel ? await tryExports({ configuration, channel }, [...sources, ...companions]) : [];
  const sales = trials.flatMap((trial) => trial.sales);
  const all = [...survey.recognised, ...survey.strange].map(({ entry }) => entry);
  const listed = (files: readonly RecognisedFile[]): readonly string[] => {
    const entries = files.map(({ entry }) => entry);
    const others = [...all, ...survey.certificates].filter((entry) => !entries.includes(entry));
    return [...new Set(entries.map((entry) => patternOf(entry, others)))];
  };
  const files = listed(sources);
  const refundDates = listed(companions);
  const days = sales.map(({ businessDate }) => businessDate).sort();
  const orders = sales.filter(({ kind }) => kind === 'order').length;
  const refunds = sales.length - orders;
  const checks = [...files, ...refundDates]
    .filter((file) => all.includes(file))
    .map((file) => `${file} is named by itself; name the next download here as well`);
  if (refunds === 0)
    checks.unshift(
      `${profile.title} has no refunds; where something was given back, take an export that has them (docs/channels.md)`,
    );
  const found = { files, refundDates, orders, refunds, first: days[0], last: days.at(-1), checks };
  return { channel: { ...named, ...found }, sales };
};

/**
 * Keep one kind of export of each shop, since two kinds hold the same sales: the one with the most refunds, then the one
 * with the most orders. A missing order is seen, a missing refund is only more tax. A person is told of the others.
 */
const oneKindOfEachShop = (read: readonly ReadChannel[]) => {
  const kept: ReadChannel[] = [];
  const leftOut: string[] = [];
  for (const kinds of Map.groupBy(read, ({ channel }) => channel.name).values()) {
    const [best, ...others] = kinds.sort(
      ({ channel: one }, { channel: other }) => other.refunds - one.refunds || other.orders - one.orders,
    );
    if (best) kept.push(best);
    for (const { channel } of others)
      leftOut.push(
        `${channel.files.join(', ')}: ${channel.title} with ${shownNumber(channel.orders, 'order')} and ${shownNumber(channel.refunds, 'refund')}; left out, because two kinds of export of one shop count its sales twice, and ${best?.channel.title} has as many refunds or more. Check that it has these sales`,
      );
  }
  return { kept, leftOut };
};

/** Tax on fewer sales of a state than these is probably a mistake. */
const FEW = 3;

/**
 * Propose the states where at least half of the sales were taxed, and more than a few, and the one that orders are sent
 * from: of those that have a sales tax. None is where the seller has no sales of which the tax is his own.
 */
const proposedStates = (
  sales: readonly Sale[],
  home: string,
): Pick<Proposal, 'registrations' | 'taxedElsewhere'> => {
  const own = sales.filter(
    ({ kind, shipTo, exemptionType }) =>
      kind === 'order' && shipTo.country === 'US' && exemptionType !== 'marketplace',
  );
  if (own.length === 0) return { registrations: [], taxedElsewhere: [] };
  const isTaxed = ({ salesTax }: Sale): boolean => salesTax > ZERO;
  const states = Map.groupBy(own, ({ shipTo }) => shipTo.state);
  const rows = [...new Set([...states.keys(), home])]
    .filter((state) => loadFilingLaw().nexus.some((law) => law.state === state))
    .sort()
    .map((state): StateFacts => {
      const all = states.get(state) ?? [];
      const taxed = all.filter(isTaxed);
      const [first] = (taxed.length > 0 ? taxed : own.filter(isTaxed))
        .map((sale) => sale.businessDate)
        .sort();
      return {
        state,
        sales: all.length,
        taxed: taxed.length,
        tax: sum(taxed.map(({ salesTax }) => salesTax)),
        since: first === undefined ? '2000-01-01' : `${first.slice(0, 7)}-01`,
      };
    });
  const isProposed = (row: StateFacts): boolean =>
    row.state === home || (row.taxed >= FEW && row.taxed * 2 >= row.sales);
  return {
    registrations: rows.filter(isProposed),
    taxedElsewhere: rows.flatMap((row) => (row.taxed > 0 && !isProposed(row) ? row.state : [])),
  };
};
