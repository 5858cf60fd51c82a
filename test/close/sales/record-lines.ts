import { netOf } from '../../../src/close/sales/read-lines.ts';
import type { Sale, SetAside } from '../../../src/close/sales/sale.ts';
import { postingOf } from '../../../src/close/sales/sale.ts';
import { formatMoney, type Money } from '../../../src/kernel/money.ts';
import { formatPrice } from '../../../src/kernel/price.ts';

/** What a file becomes, or why it cannot be used. */
type Reading =
  | {
      readonly tally: { readonly [Side in 'rows' | 'used' | 'ignored' | 'rejected']: number };
      readonly sales: readonly Sale[];
      readonly setAsides: readonly SetAside[];
    }
  | { readonly error: { readonly code: string } };

/**
 * What files become, a short line for each record in the order of the files: figures that are zero are left out.
 * What always holds is made sure of on the way: no row is lost, and what is posted adds up.
 */
export const recordLines = (readings: readonly Reading[]): readonly string[] =>
  readings.flatMap((reading) => {
    if ('error' in reading) return [`refused ${reading.error.code}`];
    const { tally, sales, setAsides } = reading;
    if (tally.used + tally.ignored + tally.rejected !== tally.rows) throw new Error('rows were lost');
    for (const sale of sales) proveSum(sale);
    return [
      ...sales.map((sale) => ({ line: sale.origin.line, text: saleLine(sale) })),
      ...setAsides.map((aside) => ({ line: aside.origin.line, text: asideLine(aside) })),
    ]
      .sort((left, right) => left.line - right.line)
      .map(({ text }) => text);
  });

const proveSum = (sale: Sale): void => {
  if (postingOf(sale) !== 'posted' || sale.lines.length === 0) return;
  const lines = sale.lines.reduce((total, line) => total + netOf(line), 0);
  if (lines + sale.shipping * 100 !== sale.amount * 100 || sale.lines.some(({ discount }) => discount < 0))
    throw new Error(`${sale.id}: the lines and the shipping are not the amount`);
};

const unlessZero = (name: string, amount: Money): readonly string[] =>
  amount === 0 ? [] : [`${name} ${formatMoney(amount)}`];

const saleLine = (sale: Sale): string =>
  [
    sale.id,
    ...(sale.kind === 'refund' ? [`refund of ${sale.reference ?? 'nothing named'}`] : []),
    sale.outcome,
    ...sale.remarks.map(({ code }) => code),
    sale.businessDate,
    [sale.shipTo.country, sale.shipTo.state, sale.shipTo.zip].filter((part) => part !== '').join(' '),
    sale.currency === 'USD' ? formatMoney(sale.amount) : `${formatMoney(sale.amount)} ${sale.currency}`,
    ...unlessZero('shipping', sale.shipping),
    ...unlessZero('tax', sale.salesTax),
    ...unlessZero('marketplace', sale.marketplaceTax),
    ...(sale.exemptionType ? [`exempt ${sale.exemptionType}`] : []),
  ].join(' ') +
  sale.lines
    .map((line, index) => {
      const off = line.discount === 0 ? '' : ` - ${formatPrice(line.discount)}`;
      return `${index === 0 ? ': ' : ', '}${line.quantity} x ${formatPrice(line.unitPrice)}${off}`;
    })
    .join('');

const asideLine = ({ origin, outcome, reason }: SetAside): string =>
  `${origin.record === '' ? '-' : origin.record} ${outcome} ${reason.code}`;
