import type { Instant } from '../kernel/calendar.ts';
import type { Money } from '../kernel/money.ts';
import type { SalesProfile } from './profile.ts';
import { type DateZones, dateReader } from './read-date.ts';
import { ifStated, isProblem, type RowReader } from './row-reader.ts';
import type { Sale } from './sale.ts';
import { intactId } from './sale-name.ts';
import type { TableRow } from './table-row.ts';

/** What tells whether two statements of one number are of one record. */
type Created = Pick<Stated, 'uniqueId'> & { readonly at: Instant };

/** Two moments of one creation are at most this far apart: an export may have days in UTC, another local times. */
const CREATION_MS = 36 * 3_600_000;

export const isSameMoment = (one: Instant, other: Instant): boolean => Math.abs(one - other) <= CREATION_MS;

/** Whether nothing tells two statements apart: they are as old, and have the same id, or one of them has none. */
export const agree = (one: Created, other: Created): boolean =>
  isSameMoment(one.at, other.at) &&
  (one.uniqueId === other.uniqueId || one.uniqueId === '' || other.uniqueId === '');

/** The code of a sale of which two files say different things, and nothing tells which of them is newer. */
export const NEWER_UNKNOWN = 'newer-unknown';

/** What tells the age of a statement; a record that is set aside has no refunded amount. */
type Aged = Pick<Stated, 'steps'> & { readonly refunded: Money | undefined };

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
