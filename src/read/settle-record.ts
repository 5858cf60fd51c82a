import { sameKey } from '../judge/decision.ts';
import { formatMoney } from '../kernel/money.ts';
import { compareText } from '../kernel/text.ts';
import { holding, type Sale, type SaleFinding, type SetAside } from '../sales/sale.ts';
import { isSameName, nameInMessages, UNNUMBERED_REFUND } from '../sales/sale-name.ts';
import { NEWER_UNKNOWN, newerOf, taxedText } from '../sales/same-record.ts';
import type { ChannelLoad } from './open-export.ts';
import { duplicateOf, mayBeApart, repeatedLine } from './repeated-record.ts';
import type { Place } from './settle-numbers.ts';
import { isOfFile } from './sort-sources.ts';

/** A load with the last day of which each of its files has a record. */
export type Settling = Pick<ChannelLoad, 'configuration' | 'channel' | 'repaired'> & {
  readonly reach: ReadonlyMap<string, string>;
};

/**
 * Settles the places of one record. The newest statement counts. Where nothing tells which it is, and the tax depends on
 * it, the sale is held for a person to say which file is newer. Places that contradict each other in one file, and refunds
 * that may be several, are all rejected.
 *
 * @returns the place that counts, as a sale or set aside, with its findings; and all others, set aside
 */
export const settleRecord = (load: Settling, places: readonly Place[]) => {
  // Of equal statements the one in the file that reaches latest stands for all.
  const sales = places
    .filter(({ sale }) => sale)
    .toSorted((one, other) => compareText(reachOf(load, other), reachOf(load, one)));
  const distinct = sales.filter(
    (place, index) => sales.findIndex(({ digest }) => digest === place.digest) === index,
  );
  const asides = places.flatMap((place) => (place.aside ? [{ ...place, aside: place.aside }] : []));
  const conflict = conflictIn(sales, distinct, asides);
  if (conflict) {
    const refused = sales.map((place) => ({ ...place, aside: conflicting(place, sales, conflict) }));
    return { counts: undefined, others: [...asides, ...refused], findings: [] as SaleFinding[] };
  }
  const others: (Place & { readonly aside: SetAside })[] = [];
  for (const place of sales.filter((one) => !distinct.includes(one))) {
    const first = distinct.find(({ digest }) => digest === place.digest) as Place;
    others.push({ ...place, aside: copyOf(load, place, first) });
  }
  const rivals = asides.filter((aside) => isRival(aside, sales));
  const { counts, open, findings } = newest(load, [...distinct, ...rivals]);
  for (const place of [...distinct, ...asides])
    if (place !== counts)
      others.push({ ...place, aside: asideBeside(load, place, counts, open !== undefined) });
  return { counts, others, findings };
};

type Located = Pick<Place, 'origin'>;

const reachOf = ({ reach }: Settling, { origin }: Located): string => reach.get(origin.file) ?? '';

const areOfFile = ({ origin: one }: Located, { origin: other }: Located): boolean => one.file === other.file;

/** Whether two places are of one name, and of one store where the export has several. */
const haveOneName = ({ origin: one }: Located, { origin: other }: Located): boolean =>
  isSameName(one.record, other.record) && one.store === other.store;

/** Whether a place is of a reject file that repairs the file of another place, or of a repair of that. */
const repairs = (load: Settling, { origin: one }: Located, { origin: other }: Located): boolean =>
  one.file !== other.file && isOfFile(load, one.file, other.file);

const copyOf = (load: Settling, { sale, profile, rows, ...place }: Place, { origin }: Place): SetAside => {
  const isApart = profile && mayBeApart(profile) && isOfFile(load, place.origin.file, origin.file);
  return isApart ? repeatedLine(sale as Sale, rows, origin) : duplicateOf(sale as Sale, rows, origin);
};

/** Whether refunds have neither a number of their own nor parts, so that all of an order are called by its number. */
export const isUnnumbered = ({ sale, profile }: Pick<Place, 'sale' | 'profile'>): boolean =>
  sale?.kind === 'refund' && profile?.map.refundId === undefined && profile?.shape.parts === false;

/** Whether a record that is set aside says something of the record that other files have as a sale. */
const isRival = ({ aside, isRecord, ...place }: Place, sales: readonly Place[]): boolean =>
  isRecord &&
  sales.every((sale) => haveOneName(sale, place) && !areOfFile(sale, place)) &&
  !(aside?.outcome === 'rejected' && sales.some(isUnnumbered));

/** The code of a contradiction that no age of the files resolves. */
const conflictIn = (
  all: readonly Place[],
  sales: readonly Place[],
  asides: readonly Place[],
): string | undefined => {
  const [first] = sales;
  const arePairs = (test: (one: Place, other: Place) => boolean): boolean =>
    sales.some((one, index) => sales.slice(index + 1).some((other) => test(one, other)));
  if (all.some((one) => all.some((other) => !haveOneName(one, other)))) return 'merged-id';
  if (first && isUnnumbered(first) && arePairs(areOtherRefunds)) return UNNUMBERED_REFUND;
  const isSetAsideBelow = asides.some(
    ({ isRecord, origin }) =>
      isRecord &&
      first?.sale?.kind === 'order' &&
      sales.some((sale) => sale.origin.file === origin.file && sale.origin.line < origin.line),
  );
  return isSetAsideBelow || arePairs((one, other) => areOfFile(one, other))
    ? 'conflicting-duplicate'
    : undefined;
};

const areOtherRefunds = ({ sale: one }: Place, { sale: other }: Place): boolean =>
  one?.businessDate !== other?.businessDate ||
  one?.amount !== other?.amount ||
  one?.salesTax !== other?.salesTax;

const conflicting = (place: Place, all: readonly Place[], code: string): SetAside => {
  const sale = place.sale as Sale;
  const other = all.find((one) => !haveOneName(one, place));
  return {
    outcome: 'rejected',
    origin: place.origin,
    rows: place.rows,
    businessDate: sale.businessDate,
    // It is not known which of its taxes is right.
    ...(sale.shipTo.country === 'US' && { state: sale.shipTo.state }),
    reason: {
      code,
      message:
        code === 'merged-id' && other
          ? `${nameInMessages(place.origin)} and ${nameInMessages(other.origin)} would both be known as ${sale.id}`
          : `different statements of one ${sale.kind}: ${all.map(saidAt).join(', ')}`,
    },
  };
};

const placeText = ({ origin: { file, line } }: Place): string => `${file}:${line}`;

/** What a place says of its record, in words. */
export const saidAt = (place: Place): string => {
  const { sale, aside } = place;
  if (!sale) return `${placeText(place)} sets it aside (${aside?.reason.code})`;
  return `${placeText(place)} has ${formatMoney(sale.amount)} and ${formatMoney(sale.salesTax)} tax on ${sale.businessDate}`;
};

type Newest = {
  readonly counts: Place | undefined;
  /** The statement of which it is not known whether it is newer. */
  readonly open?: Place;
  readonly findings: readonly SaleFinding[];
};

/**
 * Returns the newest of several statements: by what they say of their age, else by a person's decision which file is
 * newer. Where the tax does not depend on it, the file that reaches later counts, and before one that cannot be read.
 */
const newest = (load: Settling, places: readonly Place[]): Newest => {
  const [first, ...further] = places.toSorted(
    (one, other) =>
      compareText(reachOf(load, one), reachOf(load, other)) || Number(!!one.sale) - Number(!!other.sale),
  );
  let found: Newest = { counts: first, findings: [] };
  for (const place of further) {
    const { counts, open } = found;
    if (!counts) break;
    const sign = newer(load, place, counts);
    if (sign !== 0) {
      const isNewest = sign > 0 && (open === undefined || newer(load, place, open) > 0);
      if (isNewest) found = { counts: place, findings: [] };
    } else if (!dependsOn(load, place, counts)) found = { ...found, counts: place };
    else found = decided(load, place, counts);
  }
  return found;
};

const newer = (load: Settling, one: Place, other: Place): number =>
  Number(repairs(load, one, other)) - Number(repairs(load, other, one)) || newerOf(one, other);

/** Whether it decides the tax which of two statements counts; a record that cannot be read is open anyway. */
const dependsOn = ({ configuration }: Settling, one: Place, other: Place): boolean => {
  if (one.aside?.outcome === 'rejected' || other.aside?.outcome === 'rejected') return false;
  if (!one.sale || !other.sale) return one.sale !== other.sale;
  const byCustomer = configuration.certificates.length > 0;
  return taxedText(one.sale, byCustomer) !== taxedText(other.sale, byCustomer);
};

/** Returns the statement that a person says is the newer one, or holds the one that may be. */
const decided = ({ configuration }: Settling, later: Place, other: Place): Newest => {
  const inOrder = [later, other].sort((one, two) => compareText(one.origin.file, two.origin.file));
  const pair = inOrder.map(({ origin }) => origin.file).join(' and ');
  const cause = sameKey(`${NEWER_UNKNOWN} in ${pair}`);
  const decision = configuration.decided.decisions.find((one) => one.cause.endsWith(` ${cause}`));
  const said = inOrder.map((place) => `${saidAt(place)}${place.sale ? ` (${place.sale.shipTo.state})` : ''}`);
  const finding = (what: string): SaleFinding => ({
    code: NEWER_UNKNOWN,
    message: `${said.join(', ')}, ${what}`,
    column: pair,
  });
  if (decision?.verdict === 'first-file' || decision?.verdict === 'second-file') {
    const counts = inOrder[decision.verdict === 'first-file' ? 0 : 1];
    return { counts, findings: [finding(`and ${counts?.origin.file} was said to be newer`)] };
  }
  const [counts, open] = later.sale ? [later, other] : [other, later];
  return { counts, open, findings: holding([finding('and nothing tells which file is newer')]) };
};

/** Returns a place that does not count as set aside, with the reason. */
const asideBeside = (load: Settling, place: Place, counts: Place | undefined, isOpen: boolean): SetAside => {
  const { sale, aside, origin, rows } = place;
  const newer = counts && placeText(counts);
  if (sale) {
    const message = isOpen
      ? `it is not known whether this or ${newer} is newer`
      : `${newer} is newer and says something else of this record`;
    const { businessDate } = sale;
    return { outcome: 'ignored', origin, rows, businessDate, reason: { code: 'superseded', message } };
  }
  const { value: _, ...kept } = aside as SetAside;
  const isLater = counts !== undefined && reachOf(load, place) > reachOf(load, counts);
  const isSettled = counts?.sale !== undefined && !isUnnumbered(counts) && haveOneName(counts, place);
  if (kept.outcome !== 'rejected' || !isSettled || isLater || areOfFile(place, counts))
    return aside as SetAside;
  const message = `it cannot be used as it stands here (${kept.reason.code}), and ${newer} is newer and can`;
  return { ...kept, outcome: 'ignored', reason: { code: 'superseded', message } };
};
