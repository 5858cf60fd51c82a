import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import type { Sale } from './sale.ts';
import { addUpTo } from './tax-line.ts';

/** Whether a line of tax of this name is a fee that the state asks for a sale of this day, and no tax. */
export type FeeTest = (name: string, state: string, day: CalendarDate) => boolean;

/**
 * Take the fees of a state, which shops charge as lines of tax, out of the tax of a sale. If its lines add up to the tax
 * only without the fees, the shop did not count them as tax.
 */
export const feesApart = (sale: Sale, isFee: FeeTest): Sale => {
  const { kind, taxLines, shipTo, taxDate, notSold = ZERO } = sale;
  const stateFees = taxLines.filter(({ name }) => isFee(name, shipTo.state, taxDate));
  const fee = stateFeesOf({ stateFees });
  if (fee <= 0) return sale;
  const taxes = add(sale.salesTax, sale.marketplaceTax);
  const others = taxLines.filter((line) => !stateFees.includes(line));
  const isTaxed = addUpTo(taxLines, taxes) || !addUpTo(others, taxes);
  const tax: ChangedTax = isTaxed ? taxWith(sale, negate(fee)) : {};
  if (Object.values(tax).some((amount) => amount < 0)) return sale;
  return {
    ...sale,
    ...tax,
    taxLines: others,
    stateFees,
    ...(kind === 'order' && { notSold: add(notSold, fee) }),
  };
};

/** Return a sale with such fees among its tax again, as its shop charged them. */
export const feesWithin = (sale: Sale): Sale => {
  const { stateFees, ...own } = sale;
  if (!stateFees) return sale;
  const fee = stateFeesOf(sale);
  return {
    ...own,
    ...taxWith(sale, fee),
    taxLines: [...sale.taxLines, ...stateFees],
    ...(sale.kind === 'order' && { notSold: subtract(sale.notSold ?? ZERO, fee) }),
  };
};

export const stateFeesOf = ({ stateFees = [] }: Pick<Sale, 'stateFees'>): Money =>
  sum(stateFees.map(({ amount }) => amount));

type ChangedTax = Partial<Pick<Sale, 'salesTax' | 'marketplaceTax'>>;

/** The tax of a sale with a change to that of its collector. */
const taxWith = ({ exemptionType, salesTax, marketplaceTax }: Sale, change: Money): ChangedTax =>
  exemptionType === 'marketplace'
    ? { marketplaceTax: add(marketplaceTax, change) }
    : { salesTax: add(salesTax, change) };
