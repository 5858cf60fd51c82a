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
 * logged, some pages ahead of whoever takes them; while they have enough to do this one does a page itself.
 */
export async function* loggedPages(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<LoggedPage> {
  const piecesOf = await pieceMaker(ports, period);
  const aheadMax = 2 * (ports.threads?.pagesAhead ?? 0);
  const ahead: { readonly page: readonly DetailedSale[]; readonly pieces: Promise<LogPieces> }[] = [];
  for await (const page of detailedPages(ports.workspace, period)) {
    const pieces = piecesOf(page);
    // Whoever takes the page hears of the failure.
    pieces.catch(() => {});
    ahead.push({ page, pieces });
    const next = ahead.length > aheadMax ? ahead.shift() : undefined;
    if (next) yield { page: next.page, pieces: await next.pieces };
  }
  for (const { page, pieces } of ahead) yield { page, pieces: await pieces };
}

type PieceMaker = (page: readonly DetailedSale[]) => Promise<LogPieces>;

const pieceMaker = async (ports: ClosePorts, period: FilingPeriod): Promise<PieceMaker> => {
  const threads = await threadsFor(ports, period);
  if (!threads) return (page) => piecesOfSales(ports, page);
  const maker = makerOf(ports);
  let underWay = 0;
  return async (page) => {
    const isOpen = page.every(({ filed, late }) => filed === undefined && late === undefined);
    if (!isOpen || underWay === threads.pagesAhead) return piecesOfSales(ports, page);
    underWay += 1;
    try {
      const keys = page.map(({ sale }) => sale.key);
      return (await threads.logSales({ maker, period, keys })) ?? (await piecesOfSales(ports, page));
    } finally {
      underWay -= 1;
    }
  };
};

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
