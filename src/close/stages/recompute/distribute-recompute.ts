import type { SalesPage } from '../../workspace/sale-page.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { calculationCache } from './calculation-cache.ts';
import { answersTo } from './calculations.ts';

/** Request the tax of some sales of these pages. The answers are stored, and the pages are processed later. */
export const askPages = async (
  ports: ClosePorts,
  pages: AsyncIterable<SalesPage>,
  keys: ReadonlySet<string>,
  advanced: Advanced,
): Promise<{ readonly asked: number }> => {
  const cache = calculationCache(ports, () => advanced(0));
  const calls = { cache, asked: 0, left: Number.MAX_SAFE_INTEGER };
  for await (const { sales } of pages) {
    const wanted = sales.map(({ sale }) => sale).filter(({ key }) => keys.has(key));
    await answersTo(ports, wanted, calls);
  }
  return { asked: calls.asked };
};
