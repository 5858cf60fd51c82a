import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { ChannelConfiguration } from '../configuration/schema.ts';
import { sameKey } from '../judge/decision.ts';
import type { Instant } from '../kernel/calendar.ts';
import { formatMoney, type Money, negate } from '../kernel/money.ts';
import { compareText } from '../kernel/text.ts';
import { addsUpRows } from '../sales/expression.ts';
import type { SalesProfile } from '../sales/profile.ts';
import type { CountedRepayment } from '../sales/refunds.ts';
import type { RowReader } from '../sales/row-reader.ts';
import { holding, type Sale, type SaleFinding, type SetAside } from '../sales/sale.ts';
import { isSameName, NEWER_UNKNOWN, nameInMessages, UNNUMBERED_REFUND } from '../sales/sale-name.ts';
import type { TableRow } from '../sales/table-row.ts';
import type { Controls } from './file-notes.ts';
import { isOfFile, type RepairedRows } from './sort-sources.ts';

/** What a channel is settled with, and the last day of which each of its files has a record. */
export type Settling = {
  readonly configuration: LoadedConfiguration;
  readonly channel: ChannelConfiguration;
  readonly repaired: RepairedRows;
  readonly reach: ReadonlyMap<string, string>;
};

/** One place in the files of a channel that has a number, as a sale or set aside. */
export type Place = {
  readonly key: string;
  /** When the record was created; `undefined` where that cannot be read. */
  readonly at: Instant | undefined;
  /** The id that no other shop has; empty where there is none. */
  readonly uniqueId: string;
  /** How far it has come by each status column of the profile; `undefined` for a status that is not on the list. */
  readonly steps: readonly (number | undefined)[];
  readonly origin: Sale['origin'];
  readonly sale: Sale | undefined;
  readonly aside: SetAside | undefined;
  /** What was given back of an order so far; `undefined` of a record that is set aside. */
  readonly refunded: Money | undefined;
  /** Whether its rows make up a record; other rows are set aside without saying anything of the record. */
  readonly isRecord: boolean;
  /** What its rows say, but for their names: copies have the same. */
  readonly digest: string;
  readonly controls: Controls;
  readonly rows: SetAside['rows'];
  readonly repayments: readonly CountedRepayment[];
  /** The position of its file among all files, and its digest. */
  readonly file: number;
  readonly sha256: string;
  readonly profile: SalesProfile;
};

/** What the places of one record come to: the statement that counts, with findings on it, and all others, set aside. */
type SettledRecord = {
  readonly counts: Place | undefined;
  readonly findings: readonly SaleFinding[];
  readonly asides: readonly {
    readonly place: Place;
    readonly aside: SetAside;
  }[];
};

/**
 * Settles the places of one record. The newest statement counts: by what the statements say of their age, else by a
 * person's decision which file is newer, and where the tax does not depend on it, the one in the file that reaches
 * later. What none of these tells is held for a person. Places that contradict each other in one file, and refunds that may be
 * several, are all rejected.
 */
export const settleRecord = (load: Settling, given: readonly Place[]): SettledRecord => {
  // Of equal statements the one in the file that reaches latest stands for all.
  const places = given.toSorted(
    (one, other) =>
      compareText(reachOf(load, other), reachOf(load, one)) ||
      Number(!!other.sale) - Number(!!one.sale) ||
      other.file - one.file,
  );
  const sales = places.filter(({ sale }) => sale);
  const asides = places.flatMap((place) => (place.aside ? { place, aside: place.aside } : []));
  if (sales.length === 0) return { counts: undefined, findings: [], asides };
  const firstLike = ({ digest }: Place) => sales.find((one) => one.digest === digest) as Place;
  const distinct = sales.filter((place) => firstLike(place) === place);
  const conflict = conflictIn(sales, distinct, places);
  if (conflict) {
    const refused = sales.map((place) => {
      // It is not known which of their taxes is right.
      const { tax: _, ...aside } = rejectedSale(place.sale as Sale, place.rows, conflict(place));
      return { place, aside };
    });
    return { counts: undefined, findings: [], asides: [...asides, ...refused] };
  }
  const { counts, findings, isOpen } = newestOf(
    load,
    places.filter((place) => distinct.includes(place) || isRival(place, sales)),
  );
  const others = places.flatMap((place) => {
    if (place === counts) return [];
    const isCopy = place.sale && firstLike(place) !== place;
    const aside = isCopy
      ? copyOfSale(load, { ...place, sale: place.sale }, firstLike(place).origin)
      : asideBeside(load, place, counts, isOpen);
    return { place, aside };
  });
  const own = counts.aside ? [{ place: counts, aside: counts.aside }] : [];
  return { counts: counts.sale && counts, findings, asides: [...others, ...own] };
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

/** Whether refunds have neither a number of their own nor parts, so that all of an order are called by its number. */
export const isUnnumbered = ({ sale, profile }: Pick<Place, 'sale' | 'profile'>): boolean =>
  sale?.kind === 'refund' && profile.map.refundId === undefined && !profile.shape.parts;

/** Whether a record that is set aside says something of the record that other files have as a sale. */
const isRival = ({ aside, isRecord, ...place }: Place, sales: readonly Place[]): boolean =>
  aside !== undefined &&
  isRecord &&
  sales.every((sale) => haveOneName(sale, place) && !areOfFile(sale, place)) &&
  !(aside.outcome === 'rejected' && sales.some(isUnnumbered));

/** Why a place is part of a contradiction of these sales that no age of their files resolves; `undefined` if there is none. */
const conflictIn = (
  all: readonly Place[],
  distinct: readonly Place[],
  places: readonly Place[],
): ((place: Place) => SaleFinding) | undefined => {
  const arePairs = (test: (one: Place, other: Place) => boolean): boolean =>
    distinct.some((one, index) => distinct.slice(index + 1).some((other) => test(one, other)));
  const otherName = (place: Place): Place | undefined => all.find((other) => !haveOneName(place, other));
  if (all.some(otherName))
    return (place) => {
      const names = [place, otherName(place) ?? place].map(({ origin }) => nameInMessages(origin));
      return {
        code: 'merged-id',
        message: `${names.join(' and ')} would both be known as ${place.sale?.id}`,
      };
    };
  const isBelow = ({ aside, isRecord, origin }: Place): boolean =>
    aside !== undefined &&
    isRecord &&
    all.some(
      (one) => one.sale?.kind === 'order' && one.origin.file === origin.file && one.origin.line < origin.line,
    );
  const areSeveral = distinct.some(isUnnumbered) && arePairs(areOtherRefunds);
  if (!areSeveral && !places.some(isBelow) && !arePairs(areOfFile)) return undefined;
  const code = areSeveral ? UNNUMBERED_REFUND : 'conflicting-duplicate';
  const said = all.map(saidAt).join(', ');
  return ({ sale }) => ({ code, message: `different statements of one ${sale?.kind}: ${said}` });
};

const areOtherRefunds = ({ sale: one }: Place, { sale: other }: Place): boolean =>
  one?.businessDate !== other?.businessDate ||
  one?.amount !== other?.amount ||
  one?.salesTax !== other?.salesTax;

/** What a place says of its record, in words. */
export const saidAt = ({ sale, aside, origin }: Pick<Place, 'sale' | 'aside' | 'origin'>): string => {
  const place = `${origin.file}:${origin.line}`;
  if (!sale) return `${place} sets it aside (${aside?.reason.code})`;
  return `${place} has ${formatMoney(sale.amount)} and ${formatMoney(sale.salesTax)} tax on ${sale.businessDate}`;
};

/**
 * Returns the newest of different statements, or one that is held because nothing tells.
 *
 * @param places those of the file that reaches latest first
 */
const newestOf = (load: Settling, places: readonly Place[]) => {
  const ages = (one: Place, other: Place): number =>
    Number(repairs(load, one, other)) - Number(repairs(load, other, one)) || newerOf(one, other);
  const answered: SaleFinding[] = [];
  const isNewer = (one: Place, other: Place): boolean => {
    const sign = ages(one, other);
    if (sign !== 0) return sign > 0;
    if (!dependsOn(load, one, other)) return places.indexOf(one) < places.indexOf(other);
    const newer = newerAsDecided(load, one, other);
    if (newer === one) answered.push(openPair(one, other, `and ${one.origin.file} was said to be newer`));
    return newer === one;
  };
  const newest = places.find((place) => {
    answered.length = 0;
    return places.every((other) => other === place || isNewer(place, other));
  });
  if (newest) return { counts: newest, findings: answered, isOpen: false };
  const counts = places.find(({ sale }) => sale) as Place;
  const rival = places.find((other) => other !== counts && !isNewer(counts, other)) as Place;
  const findings = holding([openPair(counts, rival, 'and nothing tells which file is newer')]);
  return { counts, findings, isOpen: true };
};

/** Whether it decides the tax which of two statements counts; a record that cannot be read is open anyway. */
const dependsOn = ({ configuration }: Settling, one: Place, other: Place): boolean => {
  if (one.aside?.outcome === 'rejected' || other.aside?.outcome === 'rejected') return false;
  if (!one.sale || !other.sale) return one.sale !== other.sale;
  const byCustomer = configuration.certificates.length > 0;
  return taxedText(one.sale, byCustomer) !== taxedText(other.sale, byCustomer);
};

/** Two places in the order of the names of their files, and the two names. */
const pairOf = (one: Place, other: Place) => {
  const places = [one, other].sort((left, right) => compareText(left.origin.file, right.origin.file));
  return { places, files: places.map(({ origin }) => origin.file).join(' and ') };
};

/** Returns the statement that a person says is the newer one. */
const newerAsDecided = ({ configuration }: Settling, one: Place, other: Place): Place | undefined => {
  const { places, files } = pairOf(one, other);
  const cause = sameKey(`${NEWER_UNKNOWN} in ${files}`);
  const decision = configuration.decided.find((each) => each.cause.endsWith(` ${cause}`));
  if (decision?.verdict === 'first-file') return places[0];
  return decision?.verdict === 'second-file' ? places[1] : undefined;
};

const openPair = (one: Place, other: Place, what: string): SaleFinding => {
  const { places, files } = pairOf(one, other);
  const said = places.map((place) => `${saidAt(place)}${place.sale ? ` (${place.sale.shipTo.state})` : ''}`);
  return { code: NEWER_UNKNOWN, message: `${said.join(', ')}, ${what}`, column: files };
};

/** Returns a place that does not count as set aside, with the reason. A rejected one that says nothing newer is settled. */
const asideBeside = (load: Settling, place: Place, counts: Place, isOpen: boolean): SetAside => {
  const { sale, aside, origin, rows } = place;
  const newer = `${counts.origin.file}:${counts.origin.line}`;
  const superseded = (businessDate: SetAside['businessDate'], message: string): SetAside => {
    const reason = { code: 'superseded', message };
    return {
      outcome: 'ignored',
      origin,
      rows,
      businessDate,
      reason,
    };
  };
  const unknown = `it is not known whether this or ${newer} is newer`;
  const older = `${newer} is newer and says something else of this record`;
  if (sale) return superseded(sale.businessDate, isOpen ? unknown : older);
  const { outcome, reason, businessDate } = aside as SetAside;
  const isOlder = reachOf(load, place) <= reachOf(load, counts) && !areOfFile(place, counts);
  const isSettled = isOlder && counts.sale && !isUnnumbered(counts) && haveOneName(counts, place);
  if (outcome !== 'rejected' || !isSettled) return aside as SetAside;
  const message = `it cannot be used as it stands here (${reason.code}), and ${newer} is newer and can`;
  return superseded(businessDate, message);
};

/**
 * Returns a record that is stated once more with the same content as ignored. A single line, or none, apart from an equal one of
 * its file may be a further line of the record, such as a second piece of an item, where no total tells: a person must say whether
 * it is one or a copy, so it is rejected.
 */
export const copyOfSale = (
  load: Pick<Settling, 'repaired'>,
  { sale, profile, rows }: { readonly sale: Sale } & Pick<Place, 'profile' | 'rows'>,
  earlier: Sale['origin'],
): SetAside => {
  const { origin, businessDate } = sale;
  const place = `${earlier.file}:${earlier.line}`;
  const mayBeApart = linesMayBeApart(profile) && isOfFile(load, origin.file, earlier.file);
  if (!mayBeApart || sale.lines.length > 1) {
    const reason = { code: 'duplicate', message: `the same record stands at ${place}` };
    return {
      outcome: 'ignored',
      origin,
      businessDate,
      rows,
      reason,
    };
  }
  const message = `the same line of this ${sale.kind} stands at ${place}, apart from here, and only that one counts`;
  return rejectedSale(sale, rows, { code: 'repeated-line', message });
};

/** Returns a sale as rejected, with its state and the tax that the seller would owe. */
export const rejectedSale = (sale: Sale, rows: SetAside['rows'], reason: SaleFinding): SetAside => {
  const { origin, businessDate, shipTo, currency, salesTax, kind } = sale;
  const tax = kind === 'refund' ? negate(salesTax) : salesTax;
  const isDomestic = shipTo.country === 'US' && currency === 'USD';
  return {
    outcome: 'rejected',
    origin,
    businessDate,
    rows,
    reason,
    ...(isDomestic && { state: shipTo.state, tax }),
  };
};

/** Whether each row is a line with its own tax, and no total of the order says how many there are. */
const linesMayBeApart = ({ shape, map }: SalesProfile): boolean =>
  (shape.kind === 'line-repeat' || shape.kind === 'jurisdiction') &&
  map.total === undefined &&
  addsUpRows(map.salesTax);

/** What tells whether two statements of one number are of one record. */
export type Created = Pick<Place, 'uniqueId'> & { readonly at: Instant };

/** Two moments of one creation are at most this far apart: an export may have days in UTC, another local times. */
const CREATION_MS = 36 * 3_600_000;

export const isSameMoment = (one: Instant, other: Instant): boolean => Math.abs(one - other) <= CREATION_MS;

/** Whether nothing tells two statements apart: they are as old, and have the same id, or one of them has none. */
export const agree = (one: Created, other: Created): boolean =>
  isSameMoment(one.at, other.at) &&
  (one.uniqueId === other.uniqueId || one.uniqueId === '' || other.uniqueId === '');

/**
 * Returns which of two statements of one record is newer, by its status and what was given back:
 * positive for the first, negative for the second, 0 where nothing tells or these contradict each other.
 */
const newerOf = (one: Place, other: Place): number => {
  const signs = [
    ...one.steps.map((step, index) => compared(step, other.steps[index])),
    compared(one.refunded, other.refunded),
  ].filter((sign) => sign !== 0);
  return signs.every((sign) => sign === signs[0]) ? (signs[0] ?? 0) : 0;
};

const compared = (one: number | undefined, other: number | undefined): number =>
  one === undefined || other === undefined ? 0 : Math.sign(one - other);

/** Returns what decides the tax of a sale and the month of its return: two statements with one text come to the same. */
const taxedText = (sale: Sale, byCustomer: boolean): string =>
  JSON.stringify([
    [sale.amount, sale.shipping, sale.salesTax, sale.marketplaceTax, sale.notSold, sale.stateFees],
    sale.lines.map(({ taxCode, quantity, unitPrice, discount }) => [taxCode, quantity, unitPrice, discount]),
    [sale.shipTo, sale.inPerson, sale.currency, sale.exemptionType, byCustomer && sale.customerId],
    [sale.businessDate, sale.taxDate].map((day) => day.slice(0, 'yyyy-mm'.length)),
    [sale.reference, sale.outcome === 'review'],
  ]);

/** Compile a reader of how far a record has come, by its first row. */
export const stepReader = (
  { statuses }: SalesProfile,
  cells: RowReader,
): ((row: TableRow) => Place['steps']) => {
  const stepOf = statuses.map(({ column, order }) => {
    const steps = order.map((step) => step.map((status) => status.toLowerCase()));
    const text = cells.text(column);
    return (row: TableRow): number | undefined => {
      const status = text(row).toLowerCase();
      const step = steps.findIndex((texts) => texts.includes(status));
      return step === -1 ? undefined : step;
    };
  });
  return (row) => stepOf.map((step) => step(row));
};
