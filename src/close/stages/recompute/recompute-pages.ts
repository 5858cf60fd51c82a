import { rollingWindow } from '../../../runtime/rolling-window.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { calculationCache } from './calculation-cache.ts';
import type { CallBudget } from './calculations.ts';
import { recomputePage } from './recompute-page.ts';

/** The counts of the sales' own calculations. */
export type CalculatedFigures = {
  /** Calls for a calculation. */
  readonly asked: number;
  /**
   * Sales that were calculated now, known from earlier runs, skipped or refused: together all posted sales of the
   * period.
   */
  readonly calculated: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
};

/**
 * Pages that are processed in parallel, so that the calls of the next ones fill the gap while the last answers of one
 * arrive. With a budget, pages are processed one after the other, because what is left of it must not depend on which
 * answer arrives first.
 */
const PAGES_AT_ONCE = 8;

/** Calls that may still be made in addition to those that the sales themselves need. */
export type Spare = { left: number };

/** Recompute what is missing of these pages of posted sales. */
export const recomputePages = async (
  ports: ClosePorts,
  pages: AsyncIterable<SalesPage>,
  { spare: budget, advanced }: { readonly spare: Spare; readonly advanced: Advanced },
): Promise<CalculatedFigures> => {
  let done = 0;
  const cache = calculationCache(ports, () => advanced(done));
  const calls: CallBudget = { cache, asked: 0, left: Number.MAX_SAFE_INTEGER };
  const spare: CallBudget = { cache, asked: 0, left: budget.left };
  const sales = { calculated: 0, known: 0, skipped: 0, refused: 0 };
  const atOnce = ports.maxCalculations === undefined ? PAGES_AT_ONCE : 1;
  await rollingWindow(untilEnd(pages, cache.flushNow), atOnce, async (page) => {
    const { made, count } = await recomputePage(ports, page, { calls, spare });
    sales.known += count - made.length;
    for (const { basis } of made) sales[FIGURE_OF[basis]] += 1;
    done += count;
    advanced(done);
  });
  budget.left = spare.left;
  return { asked: calls.asked + spare.asked, ...sales };
};

async function* untilEnd<Item>(items: AsyncIterable<Item>, ended: () => void): AsyncGenerator<Item> {
  yield* items;
  ended();
}

const FIGURE_OF = {
  calculated: 'calculated',
  'no registration': 'skipped',
  marketplace: 'skipped',
  refused: 'refused',
} as const;
