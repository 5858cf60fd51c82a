import type { TaxService } from '../../src/contract/tax-service.ts';
import type { Order } from '../../src/contract/transaction.ts';

const EVER = { from_transaction_date: '2020-01-01', to_transaction_date: '2030-12-31' };

/** What a tax service holds of a provider, in order: `refund 7-R -50.00 -5.38`. */
export const recordsOf = async (service: TaxService, provider: string): Promise<readonly string[]> => {
  const query = { ...EVER, provider };
  const names = [
    ...(await service.list('order', query)).map((id) => ({ kind: 'order' as const, id, provider })),
    ...(await service.list('refund', query)).map((id) => ({ kind: 'refund' as const, id, provider })),
  ];
  const records = await service.showMany(names);
  return names.map(({ kind }, index) => textOf(kind, records[index] as Order)).sort();
};

const textOf = (kind: string, { transaction_id, amount, sales_tax }: Order): string =>
  `${kind} ${transaction_id} ${dollars(amount)} ${dollars(sales_tax)}`;

const dollars = (tenThousandths: number): string => (tenThousandths / 10_000).toFixed(2);
