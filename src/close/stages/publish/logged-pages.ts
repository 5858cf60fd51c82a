import type { FilingPeriod } from '../../../kernel/period.ts';
import { sharedInOrder } from '../../../runtime/shared-in-order.ts';
import type { LoggedSales } from '../../evidence/logged.ts';
import { type DetailedSale, detailedPages } from '../../workspace/detailed-sales.ts';
import { makerOf } from '../batches/batch.ts';
import { threadsFor } from '../batches/by-days.ts';
import type { ClosePorts, OpenSales } from '../close-ports.ts';
import { loggedSales } from './evidence-logs.ts';
import { salesAskedFor } from './open-sales.ts';

/** A page of sales with what the logs say about it. */
export type LoggedPage = LoggedSales & { readonly page: readonly DetailedSale[] };

/**
 * Every sale of the period, page by page, in the order of Detail. Where there are threads they put down what is to be
 * logged.
 */
export async function* loggedPages(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<LoggedPage> {
  const threads = await threadsFor(ports, period);
  const maker = makerOf(ports);
  yield* sharedInOrder(detailedPages(ports.workspace, period), {
    othersMax: threads?.pagesAhead ?? 0,
    elsewhere: async (page) => {
      if (!page.every(isOpen)) return undefined;
      const keys = page.map(({ sale }) => sale.key);
      const logged = await threads?.logSales({ maker, period, keys });
      return logged && { page, ...logged };
    },
    here: async (page) => ({ page, ...(await loggedSales(ports, page)) }),
  });
}

const isOpen = ({ filed, late }: DetailedSale): boolean => filed === undefined && late === undefined;

/** In another thread: what the logs say about these sales; `undefined` when it is not like the thread that asks. */
export const logSales = async (ports: ClosePorts, asked: OpenSales): Promise<LoggedSales | undefined> => {
  const sales = await salesAskedFor(ports, asked);
  return sales && loggedSales(ports, sales);
};
