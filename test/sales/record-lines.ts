import {
  type FailedTrial,
  proveSum,
  type Trial,
  type TrialAside,
  type TrialSale,
} from '../samples/exports/list-sample.ts';

/**
 * What files become, a short line for each record in the order of the files: figures that are zero are left out.
 * What always holds is made sure of on the way: no row is lost, and what is posted adds up.
 */
export const recordLines = (trials: readonly (Trial | FailedTrial)[]): readonly string[] =>
  trials.flatMap((trial) => {
    if ('error' in trial) return [`refused ${trial.error.code}`];
    const { totals, sales, set_aside } = trial;
    if (totals.used + totals.ignored + totals.rejected !== totals.rows) throw new Error('rows were lost');
    for (const sale of sales) proveSum(sale);
    return [
      ...sales.map((sale) => ({ line: sale.line, text: saleLine(sale) })),
      ...set_aside.map((aside) => ({ line: aside.line, text: asideLine(aside) })),
    ]
      .sort((left, right) => left.line - right.line)
      .map(({ text }) => text);
  });

const unlessZero = (name: string, amount: string): readonly string[] =>
  amount === '0.00' ? [] : [`${name} ${amount}`];

const saleLine = (sale: TrialSale): string =>
  [
    sale.id,
    ...(sale.kind === 'refund' ? [`refund of ${sale.reference ?? 'nothing named'}`] : []),
    sale.outcome,
    ...sale.reasons.map(({ code }) => code),
    sale.business_date,
    [sale.ship_to.country, sale.ship_to.state, sale.ship_to.zip].filter((part) => part !== '').join(' '),
    sale.currency === 'USD' ? sale.amount : `${sale.amount} ${sale.currency}`,
    ...unlessZero('shipping', sale.shipping),
    ...unlessZero('tax', sale.sales_tax),
    ...unlessZero('marketplace', sale.marketplace_tax),
    ...(sale.exemption_type ? [`exempt ${sale.exemption_type}`] : []),
  ].join(' ') +
  sale.lines
    .map((line, index) => {
      const off = line.discount === '0.00' ? '' : ` - ${line.discount}`;
      return `${index === 0 ? ': ' : ', '}${line.quantity} x ${line.unit_price}${off}`;
    })
    .join('');

const asideLine = ({ record, outcome, reasons }: TrialAside): string =>
  `${record === '' ? '-' : record} ${outcome} ${reasons.map(({ code }) => code).join(' ')}`;
