import type { RateArea } from '../contract/tax-service.ts';
import {
  add,
  formatMoney,
  formatPercent,
  formatRate,
  type Money,
  type Rate,
  rate,
  ZERO,
} from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { compareText, shownNumber } from '../kernel/text.ts';
import type { Origin } from '../sales/sale.ts';
import { countOf, type Finding, finding, isEffectKnown, isGap, isOpen, isUndecidedGap } from './finding.ts';
import { partOf, REASONS, type ReasonCode, type VariancePart } from './reason.ts';

/** Exceptions with the same cause and place, shown to a person as one line. */
export type Cluster = {
  readonly code: string;
  readonly state: string;
  /** The place, or the state, whose sales share a rate; empty if they share only code and state. */
  readonly where: string;
  /** Rates of the shop and of the tax service, all levels combined; `null` if they are not shared. */
  readonly shop: Rate | null;
  readonly own: Rate | null;
  /** The rates of the shop, ascending; several if it charged different rates at one place. */
  readonly rates: readonly Rate[];
  /** Where the tax content lacks a rate. */
  readonly area: RateArea | undefined;
  /** The part of the variance it belongs to; `null` if the code is not a reason. */
  readonly part: VariancePart | null;
  readonly records: number;
  /** The record, if there is only one; otherwise empty. */
  readonly record: string;
  /** Number of exceptions awaiting a decision. */
  readonly open: number;
  readonly effect: Money;
  /** A one-line summary. */
  readonly message: string;
};

/** Group exceptions into clusters, in the order of their first exceptions. */
export const clustersOf = (exceptions: readonly Finding[]): readonly Cluster[] =>
  [...groupsOf(exceptions).values()].map(clusterOf);

/** Sort exceptions by cluster; clusters are in the order of their first exceptions. */
export const inClusters = (exceptions: readonly Finding[]): readonly Finding[] =>
  [...groupsOf(exceptions).values()].flat();

const groupsOf = (exceptions: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> =>
  Map.groupBy(exceptions, clusterKeyOf);

/** The cluster key of an exception. */
export const clusterKeyOf = (exception: Pick<Finding, 'code' | 'state' | 'shared'>): string => {
  const { code, state, shared } = exception;
  if (!shared) return JSON.stringify([code, state]);
  const place = [state, shared.where.toUpperCase()];
  // A place with missing rates has one line, whatever the shop charged there and whatever the evidence.
  return JSON.stringify(isGap(exception) ? ['gap', ...place] : [code, ...place, shared.shop, shared.own]);
};

export const clusterOf = (exceptions: readonly Finding[]): Cluster => {
  const [first] = exceptions as readonly [Finding];
  const { code, state, shared } = first;
  const effect = exceptions.reduce((total, exception) => add(total, exception.effect), ZERO);
  const part = code in REASONS ? partOf(code as ReasonCode) : null;
  const rates = [...new Set(exceptions.flatMap((each) => each.shared?.shop ?? []))].sort(
    (one, other) => one - other,
  );
  const cluster = {
    code,
    state,
    where: shared?.where ?? '',
    shop: rates.length === 1 ? (rates[0] ?? null) : null,
    rates,
    own: shared?.own ?? null,
    area: shared?.area,
    part,
    records: countOf(exceptions),
    record: isOneRecord(exceptions) ? first.origin.record : '',
    open: exceptions.filter((each) => isOpen(each) || isUndecidedGap(each)).length,
    effect,
  };
  return { ...cluster, message: messageOf(cluster, exceptions) };
};

/** The rates of the shop in words: `8.2% and 8.7%`. */
const ratesText = ({ rates }: Pick<Cluster, 'rates'>): string =>
  rates.length === 0 ? 'by tax lines without a rate' : rates.map(formatPercent).join(' and ');

const messageOf = (cluster: Omit<Cluster, 'message'>, exceptions: readonly Finding[]): string => {
  const { where, shop, own, part, records, effect, code } = cluster;
  if (where !== '' && part === 'gap') return gapText(cluster);
  if (where !== '' && shop !== null)
    return `${where}: shop ${ratesText(cluster)}${own === null ? '' : `, Tieout ${formatPercent(own)}`}, ${shownNumber(records, 'sale')}, ${formatMoney(effect)}; correct the rate of the shop`;
  const [example] = exceptions
    .filter(({ standsFor }) => standsFor === undefined)
    .sort((left, right) => compareText(left.origin.record, right.origin.record)) as [Finding];
  if (isOneRecord(exceptions)) return `${example.message}${records === 1 ? placeOf(example) : ''}`;
  const name = code in REASONS ? `${REASONS[code as ReasonCode].name}: ` : '';
  return `${name}${records} records, ${exceptions.every(isEffectKnown) ? formatMoney(effect) : 'effect unknown'}; for example ${example.origin.record}${placeOf(example)}: ${example.message}`;
};

/** Says what the tax content has at a place that lacks a rate, and what the shop charged there. */
const gapText = (cluster: Omit<Cluster, 'message'>): string => {
  const { where, rates, own, records, effect, code } = cluster;
  const sales = shownNumber(records, 'sale');
  if (code === 'R28')
    return `${where}: Tieout expects the tax that every place of the state has; the shop charged ${formatMoney(effect)} more on ${sales}, which may be right.`;
  const has = own === null ? 'Tieout has other rates' : `Tieout has ${formatPercent(own)}`;
  const charged =
    rates.length === 0 ? `${formatMoney(effect)} more, ${ratesText(cluster)},` : ratesText(cluster);
  return `${where}: ${has}, the shop charged ${charged} on ${sales}${rates.length > 1 ? ': at most one of these rates is right' : ''}.`;
};

/**
 * Whether all are about one record, which may have several rows or exceptions. A finding about a file has no record.
 */
const isOneRecord = (exceptions: readonly Finding[]): boolean =>
  exceptions.length === 1 ||
  exceptions.every(
    ({ origin, message }) =>
      origin.record === exceptions[0]?.origin.record && message === exceptions[0]?.message,
  );

/** File and line of its record in the exports. */
const placeOf = ({ origin: { file, line } }: Finding): string => (line === 0 ? '' : ` (${file}:${line})`);

/** Maximum number of exceptions of one cause that are listed individually. */
const LISTED_MAX = 250;

type Cause = {
  listed: Finding[];
  more: number;
  effect: Money;
};

/**
 * Collect the exceptions of a period in bounded memory. Open and decided exceptions are all listed individually; of the
 * others, those with the largest effects in each cause, plus one that stands for the rest.
 */
export const findingList = (isDecided: (draft: Finding) => boolean) => {
  const held: Finding[] = [];
  const causes = new Map<string, Cause>();
  return {
    add: (draft: Finding): void => {
      if (draft.severity === 'error' || isGap(draft) || isDecided(draft)) {
        held.push(draft);
        return;
      }
      const key = causeOf(draft);
      const cause = causes.get(key) ?? { listed: [], more: 0, effect: ZERO };
      causes.set(key, cause);
      cause.listed.push(draft);
      if (cause.listed.length >= 2 * LISTED_MAX) shorten(cause);
    },
    drafts: (): readonly Finding[] => {
      for (const cause of causes.values()) shorten(cause);
      return [...held, ...[...causes.values()].flatMap((cause) => [...cause.listed, ...othersOf(cause)])];
    },
  };
};

/** Key of the causes whose exceptions are listed together. */
export const causeOf = (draft: Pick<Finding, 'code' | 'severity' | 'state' | 'shared'>): string =>
  `${draft.severity} ${clusterKeyOf(draft)}`;

/** Keeps the exceptions with the largest effects; among equals, those that stand first in the exports. */
const shorten = (cause: Cause): void => {
  if (cause.listed.length <= LISTED_MAX) return;
  cause.listed.sort(
    (one, other) =>
      Math.abs(other.effect) - Math.abs(one.effect) ||
      byOrigin(one.origin, other.origin) ||
      compareText(one.message, other.message),
  );
  for (const { effect } of cause.listed.splice(LISTED_MAX)) {
    cause.more += 1;
    cause.effect = add(cause.effect, effect);
  }
};

const byOrigin = (one: Origin, other: Origin): number =>
  compareText(one.file, other.file) || one.line - other.line || compareText(one.record, other.record);

const othersOf = ({ listed: [first], more, effect }: Cause): readonly Finding[] => {
  if (first === undefined || more === 0) return [];
  const { severity, code, state, shared } = first;
  const message = `${more} more of this cause with smaller effects, ${formatMoney(effect)} in all: \`tieout show\` finds each record by its name`;
  return [finding(code, message, { severity, state, effect, standsFor: more, ...(shared && { shared }) })];
};

/** The columns of a rate file that a person can fill in; `tieout content import` reads it. */
const COLUMNS = 'state,level,name,rate,from,counties,places,source,confidence';

/** What to do about rates that the tax content lacks. */
export const gapTodo = ({ code }: Pick<Cluster, 'code'>): string =>
  code === 'R28'
    ? 'Export the ZIP codes of these sales and close again.'
    : `Look up each rate. Write its line under \`${COLUMNS}\` into a CSV file, correct the rate, fill in the source, import the file with \`tieout content import FILE --content FOLDER\`, and close again.`;

/**
 * The line of a rate file for a place that lacks a rate, as a sentence; empty for other causes. What the shop charged
 * beyond Tieout's rate is a hint, so its confidence is `shop`. A rate that the shop did not state, or not always, is left
 * to the person who looks it up, and so is the source: without it the file is refused. A place that the content does not
 * have is named by its county.
 */
export const rateLine = (
  { code, state, where, own, rates, area }: Cluster,
  { first }: Pick<FilingPeriod, 'first'>,
): string => {
  const name = plainName(where);
  if (code === 'R28' || own === null || area === undefined || name === '') return '';
  const [shop, ...others] = rates;
  const charged = shop === undefined || others.length > 0 ? '' : formatRate(rate(shop - own));
  const level = area.place === '' ? 'county' : 'city';
  const cells = [state, level, `${name} local tax`, charged, first, area.counties, area.place, '', 'shop'];
  return ` Its line for a rate file: \`${cells.join(',')}\`.`;
};

/** Leaves out of a city of an export what would divide a line, or be a formula in a spreadsheet. */
const plainName = (where: string): string =>
  where.replace(/[^\p{L}\p{N}.'’-]+/gu, ' ').replace(/^[^\p{L}\p{N}]+| +$/gu, '');
