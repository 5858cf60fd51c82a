import type { Instant } from '../kernel/calendar.ts';
import type { Money } from '../kernel/money.ts';
import { compareText } from '../kernel/text.ts';
import type { SalesProfile } from './profile.ts';
import { type DateZones, dateReader } from './read-date.ts';
import { ifStated, isProblem, type RowReader } from './row-reader.ts';
import type { Sale } from './sale.ts';
import { intactId } from './sale-name.ts';
import type { TableRow } from './table-row.ts';

/** What tells whether two statements of one number are of one record. */
export type Created = Pick<Stated, 'uniqueId'> & { readonly at: Instant; readonly lockedAs?: string };

/** The statements of one record among those of its number, and why that may be another record. */
export type NumberedRecord<Statement> = {
  readonly statements: readonly Statement[];
  /** Set if it is not certain whether this is a record of its own; `with` is the statement it may belong to. */
  readonly doubt?: { readonly with: Statement; readonly isSameId: boolean };
};

/** Two moments of one creation are at most this far apart: an export may have days in UTC, another local times. */
const CREATION_MS = 36 * 3_600_000;

export const isSameMoment = (one: Instant, other: Instant): boolean => Math.abs(one - other) <= CREATION_MS;

/** Whether nothing tells two statements apart: they are as old, and have the same id, or one of them has none. */
export const agree = (one: Created, other: Created): boolean =>
  isSameMoment(one.at, other.at) &&
  (one.uniqueId === other.uniqueId || one.uniqueId === '' || other.uniqueId === '');

/**
 * Divides the statements of one number into records, the earliest first. Two statements are of one record when the moments of creation
 * agree and no unique id says otherwise. Where an id or its absence contradicts the moment, the later record is
 * doubtful, and a locked one never.
 *
 * @param restarts whether the numbers of the channel start again, so that another creation alone is another record
 */
export const recordsOfNumber = <Statement extends Created>(
  statements: readonly Statement[],
  restarts: boolean,
): readonly NumberedRecord<Statement>[] => {
  const records: Statement[][] = [];
  const ambiguous = new Map<Statement[], Statement>();
  const inOrder = [...statements].sort(
    (one, other) => Number(one.uniqueId === '') - Number(other.uniqueId === '') || one.at - other.at,
  );
  for (const statement of inOrder) {
    const fitting = records.filter((record) => record.some((other) => agree(other, statement)));
    const [only, another] = fitting;
    if (only && !another) {
      only.push(statement);
      continue;
    }
    const record = [statement];
    records.push(record);
    if (another?.[0]) ambiguous.set(record, another[0]);
  }
  const firstOf = (record: readonly Statement[]): Statement =>
    record.reduce((first, other) => (other.at < first.at ? other : first));
  const idOf = (record: readonly Statement[]): string =>
    record.find(({ uniqueId }) => uniqueId !== '')?.uniqueId ?? '';
  records.sort((one, other) => firstOf(one).at - firstOf(other).at || compareText(idOf(one), idOf(other)));
  return records.map((record, index) => {
    const id = idOf(record);
    const before = records.filter((other, place) =>
      isLocked(record) === isLocked(other) ? place < index : isLocked(other),
    );
    const sameId = id === '' ? undefined : before.findLast((other) => idOf(other) === id);
    const unknown = restarts ? undefined : before.findLast((other) => id === '' || idOf(other) === '');
    const other = ambiguous.get(record) ?? sameId?.[0] ?? unknown?.[0];
    if (other === undefined) return { statements: record };
    return { statements: record, doubt: { with: other, isSameId: sameId !== undefined } };
  });
};

const isLocked = (record: readonly Created[]): boolean =>
  record.some(({ lockedAs }) => lockedAs !== undefined);

/**
 * Returns the record that something later belongs to, such as a refund: the last one created before it. Returns
 * `undefined` where none was, or where another one is as likely, because it was created at nearly the same time.
 */
export const lastCreatedBefore = <Item extends { readonly at: Instant }>(
  records: readonly Item[],
  at: Instant,
): Item | undefined => {
  const [last, ...others] = records
    .filter((record) => record.at <= at || isSameMoment(record.at, at))
    .sort((one, other) => other.at - one.at);
  const isSure =
    others.length === 0 ||
    (last && last.at <= at && !others.some((other) => isSameMoment(other.at, last.at)));
  return isSure ? last : undefined;
};

/** The code of a sale of which two files say different things, and nothing tells which of them is newer. */
export const NEWER_UNKNOWN = 'newer-unknown';

/** What tells the age of a statement; a record that is set aside has no refunded amount. */
export type Aged = Pick<Stated, 'steps'> & { readonly refunded: Money | undefined };

/**
 * Returns which of two statements of one record is newer, by its status and what was given back:
 * positive for the first, negative for the second, 0 where nothing tells or these contradict each other.
 */
export const newerOf = (one: Aged, other: Aged): number => {
  const signs = [
    ...one.steps.map((step, index) => compared(step, other.steps[index])),
    compared(one.refunded, other.refunded),
  ].filter((sign) => sign !== 0);
  return signs.every((sign) => sign === signs[0]) ? (signs[0] ?? 0) : 0;
};

const compared = (one: number | undefined, other: number | undefined): number =>
  one === undefined || other === undefined ? 0 : Math.sign(one - other);

/** Returns what decides the tax of a sale and the month of its return: two statements with one text come to the same. */
export const taxedText = (sale: Sale, byCustomer: boolean): string =>
  JSON.stringify([
    [sale.amount, sale.shipping, sale.salesTax, sale.marketplaceTax, sale.notSold, sale.stateFees],
    sale.lines.map(({ taxCode, quantity, unitPrice, discount }) => [taxCode, quantity, unitPrice, discount]),
    [sale.shipTo, sale.inPerson, sale.currency, sale.exemptionType, byCustomer && sale.customerId],
    [sale.businessDate, sale.taxDate].map((day) => day.slice(0, 'yyyy-mm'.length)),
    [sale.reference, sale.outcome === 'review'],
  ]);

/** What the first row of a record says of which record it is and of how new its statement is. */
export type Stated = {
  /** When the record was created; `undefined` where that cannot be read. */
  readonly at: Instant | undefined;
  /** The id that no other shop has; empty where the row has none. */
  readonly uniqueId: string;
  /** How far it has come by each status column of the profile; `undefined` for a status that is not on the list. */
  readonly steps: readonly (number | undefined)[];
};

/** Compile a reader of what tells records of one number, and two statements of one record, apart. */
export const statementReader = (
  { locale, map, statuses }: SalesProfile,
  cells: RowReader,
  zones: DateZones,
): ((row: TableRow) => Stated) => {
  const dateOf = dateReader(locale.date, cells, zones);
  const uniqueIdOf = ifStated(map.uniqueId, cells.text);
  const stepOf = statuses.map(({ column, order }) => {
    const steps = order.map((step) => step.map((status) => status.toLowerCase()));
    const text = cells.text(column);
    return (row: TableRow): number | undefined => {
      const status = text(row).toLowerCase();
      const step = steps.findIndex((texts) => texts.includes(status));
      return step === -1 ? undefined : step;
    };
  });
  return (row) => {
    const date = dateOf(row);
    return {
      at: isProblem(date) ? undefined : date.at,
      uniqueId: intactId(uniqueIdOf?.(row) ?? ''),
      steps: stepOf.map((step) => step(row)),
    };
  };
};
