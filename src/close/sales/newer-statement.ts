import type { Money } from '../../kernel/money.ts';
import type { Stated } from './read-statement.ts';
import type { Sale } from './sale.ts';

/** The code of a sale of which two files say different things, and nothing tells which of them is newer. */
export const NEWER_UNKNOWN = 'newer-unknown';

/** What tells the age of a statement; a record that is set aside has no refunded amount. */
export type Aged = Pick<Stated, 'updated' | 'steps'> & { readonly refunded: Money | undefined };

/**
 * Returns which of two statements of one record is newer, by its day of update, its status and what was given back:
 * positive for the first, negative for the second, 0 where nothing tells or these contradict each other.
 */
export const newerOf = (one: Aged, other: Aged): number => {
  const signs = [
    compared(one.updated, other.updated),
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
