import { compareText } from '../../kernel/compare-text.ts';
import { add, formatMoney, type Money, ZERO } from '../../kernel/money.ts';
import { formatPercent, type Rate } from '../../kernel/rate.ts';
import { countOf, type Exception, isEffectKnown, isGap, isOpen, isUndecidedGap } from './exceptions.ts';
import { REASONS, type ReasonCode } from './reason.ts';
import { partOf, type VariancePart } from './variance-part.ts';

/** Exceptions of one cause and place: what a person looks at instead of many equal lines. */
export type Cluster = {
  readonly code: string;
  readonly state: string;
  /** The place, or the state, whose sales share a rate; empty where nothing but code and state is shared. */
  readonly where: string;
  /** Rates of the shop and of the tax service, all levels together; `null` where they are not what is shared. */
  readonly shop: Rate | null;
  readonly own: Rate | null;
  /** The rates of the shop, the lowest first; several where it charged one place differently. */
  readonly rates: readonly Rate[];
  /** Whose the variance is; `null` of what is not a reason. */
  readonly part: VariancePart | null;
  readonly records: number;
  /** The only record; empty where there are several. */
  readonly record: string;
  /** Those of them that wait for a decision. */
  readonly open: number;
  readonly effect: Money;
  /** One line that says all of it. */
  readonly message: string;
};

/** The clusters of exceptions in the order of their first ones. */
export const clustersOf = (exceptions: readonly Exception[]): readonly Cluster[] =>
  [...groupsOf(exceptions).values()].map(clusterOf);

/** The same exceptions, those of one cluster together: the clusters in the order of their first ones. */
export const inClusters = (exceptions: readonly Exception[]): readonly Exception[] =>
  [...groupsOf(exceptions).values()].flat();

const groupsOf = (exceptions: readonly Exception[]): ReadonlyMap<string, readonly Exception[]> =>
  Map.groupBy(exceptions, clusterKeyOf);

/** What puts exceptions into one cluster. */
export const clusterKeyOf = (exception: Pick<Exception, 'code' | 'state' | 'shared'>): string => {
  const { code, state, shared } = exception;
  if (!shared) return JSON.stringify([code, state]);
  const place = [state, shared.scope, shared.where.toUpperCase()];
  // Of a place that lacks rates there is one line, whatever the shop charged there and however that is known.
  return JSON.stringify(isGap(exception) ? ['gap', ...place] : [code, ...place, shared.shop, ownOf(shared)]);
};

/** What the service answers differs between the places of a state. */
const ownOf = ({ scope, own }: NonNullable<Exception['shared']>): Rate | null =>
  scope === 'place' ? own : null;

const clusterOf = (exceptions: readonly Exception[]): Cluster => {
  const [first] = exceptions as readonly [Exception];
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
    own: shared ? ownOf(shared) : null,
    part,
    records: countOf(exceptions),
    record: isOneRecord(exceptions) ? first.origin.record : '',
    open: exceptions.filter((each) => isOpen(each) || isUndecidedGap(each)).length,
    effect,
  };
  return { ...cluster, message: messageOf(cluster, exceptions) };
};

/** The rates of the shop in words: `8.2% and 8.7%`. */
export const ratesText = ({ rates }: Pick<Cluster, 'rates'>): string =>
  rates.length === 0 ? 'by tax lines without a rate' : rates.map(formatPercent).join(' and ');

const messageOf = (cluster: Omit<Cluster, 'message'>, exceptions: readonly Exception[]): string => {
  const { where, shop, own, part, records, effect, code } = cluster;
  const counted = `${records} ${records === 1 ? 'sale' : 'sales'}`;
  if (code === 'R28')
    return `${where}: ${formatMoney(effect)} above the tax that every place has, ${counted}; export the ZIP codes, or accept it`;
  if (where !== '' && (shop !== null || part === 'gap')) {
    const charged = `shop ${ratesText(cluster)}${own === null ? '' : `, Tieout ${formatPercent(own)}`}`;
    const todo =
      part === 'gap' ? 'import the rate: `tieout content suggest`' : 'correct the rate of the shop';
    return `${where}: ${charged}, ${counted}, ${formatMoney(effect)}; ${todo}`;
  }
  const [example] = exceptions
    .filter(({ standsFor }) => standsFor === undefined)
    .sort((left, right) => compareText(left.origin.record, right.origin.record)) as [Exception];
  if (isOneRecord(exceptions)) return `${example.message}${records === 1 ? placeOf(example) : ''}`;
  const name = code in REASONS ? `${REASONS[code as ReasonCode].name}: ` : '';
  return `${name}${records} records, ${exceptions.every(isEffectKnown) ? formatMoney(effect) : 'effect unknown'}; for example ${example.origin.record}${placeOf(example)}: ${example.message}`;
};

/** One record may stand in several lines, or have several exceptions; a finding about a file is of no record. */
const isOneRecord = (exceptions: readonly Exception[]): boolean =>
  exceptions.length === 1 ||
  exceptions.every(
    ({ origin, message }) =>
      origin.record === exceptions[0]?.origin.record && message === exceptions[0]?.message,
  );

/** Where its record stands in the exports. */
const placeOf = ({ origin: { file, line } }: Exception): string => (line === 0 ? '' : ` (${file}:${line})`);
