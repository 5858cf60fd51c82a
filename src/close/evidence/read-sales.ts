import { join } from 'node:path';
import { type DetailRow, detailRowOf } from '../reconcile/detail-row.ts';
import { readLog } from './log-file.ts';
import { type LoggedSale, logPath } from './logged.ts';
import type { Derivation } from './manifest.ts';
import { readSale } from './sale-text.ts';

/** Returns the row of Detail for a logged sale. */
export const rowOf = ({ sale, posting, reconciled }: LoggedSale): DetailRow =>
  detailRowOf(sale, posting, reconciled ?? undefined);

/** Yields the sales of the log in the order of Detail, with everything that is derived from them. */
export async function* readSales(folder: string, derivation: Derivation): AsyncGenerator<LoggedSale> {
  for await (const line of readLog(join(folder, logPath('sales')))) yield readSale(line, derivation);
}
