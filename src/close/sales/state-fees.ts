import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, moneyOfPrice, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import { netOf } from './read-lines.ts';
import type { Sale } from './sale.ts';
import { addUpTo } from './tax-line.ts';

/** Whether a line of tax of this name is a fee that the state asks for a sale of this day, and no tax. */
export type FeeTest = (name: string, state: string, day: CalendarDate) => boolean;

/**
 * Take the fees of a state out of a sale, which shops charge as lines of the order or of tax. If its lines of tax add up
 * to the tax only without the fees, the shop did not count them as tax.
 */
export const feesApart = (given: Sale, isFee: FeeTest): Sale => {
  const sale = feeLinesApart(given, isFee);
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
    stateFees: [...stateFees, ...(sale.stateFees ?? [])],
    ...(kind === 'order' && { notSold: add(notSold, fee) }),
  };
};

/** Take lines of the order that are fees of the state out of what was sold. */
const feeLinesApart = (sale: Sale, isFee: FeeTest): Sale => {
  const { kind, lines, shipTo, taxDate, notSold = ZERO, stateFees = [] } = sale;
  const charged = lines.filter(({ description }) => isFee(description, shipTo.state, taxDate));
  if (charged.length === 0) return sale;
  const fees = charged.map((line) => ({
    name: line.description,
    rate: null,
    amount: moneyOfPrice(netOf(line)),
    kind: null,
    place: '',
    isLine: true as const,
  }));
  const fee = stateFeesOf({ stateFees: fees });
  return {
    ...sale,
    amount: subtract(sale.amount, fee),
    lines: lines.filter((line) => !charged.includes(line)),
    stateFees: [...stateFees, ...fees],
    ...(kind === 'order' && { notSold: add(notSold, fee) }),
  };
};

/** Return a sale with the fees that were lines of tax among its tax again, as its shop charged them. */
export const feesWithin = (sale: Sale): Sale => {
  const { stateFees = [], ...own } = sale;
  const asTax = stateFees.filter(({ isLine }) => !isLine);
  if (asTax.length === 0) return sale;
  const fee = stateFeesOf({ stateFees: asTax });
  const asLines = stateFees.filter(({ isLine }) => isLine);
  return {
    ...own,
    ...taxWith(sale, fee),
    taxLines: [...sale.taxLines, ...asTax],
    ...(asLines.length > 0 && { stateFees: asLines }),
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
