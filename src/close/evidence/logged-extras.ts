import { join } from 'node:path';
import type { Money } from '../../kernel/money.ts';
import { moneyOfPrice } from '../../kernel/price.ts';
import { adjustmentId } from '../reconcile/adjusted-refund.ts';
import { readLog } from './log-file.ts';
import { type LoggedExtra, logPath } from './logged.ts';

/** Records read back that do not belong to a sale, by provider, kind and id. */
export type Extras = ReadonlyMap<
  string,
  { readonly day: string; readonly channel: string; readonly sums: RecordSums }
>;

type RecordSums = { readonly amount: Money; readonly tax: Money };

/** Reads the extra records of a folder; returns the name of a record that is listed twice. */
export const readExtras = async (folder: string): Promise<Extras | string> => {
  const extras = new Map<string, { day: string; channel: string; sums: RecordSums }>();
  for await (const line of readLog(join(folder, logPath('records')))) {
    const { channel, provider, kind, id, day, record } = line as LoggedExtra;
    const name = `${provider}/${kind}/${id}`;
    if (extras.has(name)) return `${name} stands twice in the log of records`;
    extras.set(name, { day, channel, sums: sumsOf(record) });
  }
  return extras;
};

export const sumsOf = ({ amount, sales_tax: tax }: LoggedExtra['record']): RecordSums => ({
  amount: moneyOfPrice(amount),
  tax: moneyOfPrice(tax),
});

/** Returns the names of a refund's adjustments, which are numbered from 1. */
export const adjustmentsAmong = (extras: Extras, provider: string, refund: string): readonly string[] => {
  const names: string[] = [];
  for (let number = 1; ; number += 1) {
    const name = `${provider}/refund/${adjustmentId(refund, number)}`;
    if (!extras.has(name)) return names;
    names.push(name);
  }
};
