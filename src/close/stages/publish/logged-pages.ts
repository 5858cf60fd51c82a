import { DefectError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { LogPieces } from '../../evidence/logged.ts';
import { type DetailedSale, detailedPages } from '../../workspace/detailed-sales.ts';
import { differenceOf, makerOf } from '../batches/batch.ts';
import { threadsFor } from '../batches/by-days.ts';
import type { ClosePorts, SalesToLog } from '../close-ports.ts';
import { piecesOfSales } from './evidence-logs.ts';

/** A page of sales with what the logs say about it. */
export type LoggedPage = { readonly page: readonly DetailedSale[]; readonly pieces: LogPieces };

/**
 * Every sale of the period, page by page, in the order of Detail. Where there are threads they put down what is to be
 * logged, some pages ahead of whoever takes them.
 */
export async function* loggedPages(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<LoggedPage> {
  const threads = await threadsFor(ports, period);
  const maker = makerOf(ports);
  const ahead: { readonly page: readonly DetailedSale[]; readonly pieces: Promise<LogPieces> }[] = [];
  for await (const page of detailedPages(ports.workspace, period)) {
    const isOpen = page.every(({ filed, late }) => filed === undefined && late === undefined);
    const keys = page.map(({ sale }) => sale.key);
    const pieces =
      threads && isOpen
        ? threads.logSales({ maker, period, keys }).then((found) => found ?? piecesOfSales(ports, page))
        : piecesOfSales(ports, page);
    // Whoever takes the page hears of the failure.
    pieces.catch(() => {});
    ahead.push({ page, pieces });
    const next = ahead.length > (threads?.pagesAhead ?? 0) ? ahead.shift() : undefined;
    if (next) yield { page: next.page, pieces: await next.pieces };
  }
  for (const { page, pieces } of ahead) yield { page, pieces: await pieces };
}

/** In another thread: what the logs say about these sales; `undefined` when it is not like the thread that asks. */
export const logSales = async (
  ports: ClosePorts,
  { maker, period, keys }: SalesToLog,
): Promise<LogPieces | undefined> => {
  if (differenceOf(makerOf(ports), maker) !== undefined) return undefined;
  const sales: DetailedSale[] = [];
  for await (const page of detailedPages(ports.workspace, period, { keys })) sales.push(...page);
  if (sales.length !== keys.length)
    throw new DefectError(`${keys.length} sales were to be logged, and ${sales.length} are there`);
  return piecesOfSales(ports, sales);
};
