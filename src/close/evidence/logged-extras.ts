import { join } from 'node:path';
import type { Money } from '../../kernel/money.ts';
import { moneyOfPrice } from '../../kernel/price.ts';
import { refundOfAdjustment } from '../reconcile/adjusted-refund.ts';
import { readLog } from './log-file.ts';
import { type LoggedExtra, logPath } from './logged.ts';

/** Records read back that do not belong to a sale. */
export type Extras = {
  /** By provider, kind and id. */
  readonly records: ReadonlyMap<string, Extra>;
  /** The names of those that may be adjustments of a refund, by the name of the refund. */
  readonly adjustments: ReadonlyMap<string, readonly string[]>;
};

type Extra = { readonly day: string; readonly channel: string; readonly sums: RecordSums };

type RecordSums = { readonly amount: Money; readonly tax: Money };

/** Reads the extra records of a folder; returns the name of a record that is listed twice. */
export const readExtras = async (folder: string): Promise<Extras | string> => {
  const records = new Map<string, Extra>();
  const adjustments = new Map<string, string[]>();
  for await (const line of readLog(join(folder, logPath('records')))) {
    const { channel, provider, kind, id, day, record } = line as LoggedExtra;
    const name = `${provider}/${kind}/${id}`;
    if (records.has(name)) return `${name} stands twice in the log of records`;
    records.set(name, { day, channel, sums: sumsOf(record) });
    const refund = refundOfAdjustment(name);
    if (refund !== undefined) adjustments.set(refund, [...(adjustments.get(refund) ?? []), name]);
  }
  return { records, adjustments };
};

export const sumsOf = ({ amount, sales_tax: tax }: LoggedExtra['record']): RecordSums => ({
  amount: moneyOfPrice(amount),
  tax: moneyOfPrice(tax),
});

/** Returns the names of a refund's adjustments. Their numbers may have gaps: someone may have deleted one of them. */
export const adjustmentsAmong = (
  { adjustments }: Extras,
  provider: string,
  refund: string,
): readonly string[] => adjustments.get(`${provider}/refund/${refund}`) ?? [];
