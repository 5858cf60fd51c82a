import type { Json } from '../../../kernel/digest.ts';
import { type PartOfSales, postedSalesOf } from '../../workspace/sales-of.ts';
import type { SettledSale } from '../../workspace/settled-sale.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { readBack } from '../pull-back/pull-back.ts';
import type { ListedRecord } from '../pull-back/unshown.ts';
import { recomputePages } from '../recompute/recompute-tax.ts';
import { reconcilePages } from '../reconcile/reconcile-sales.ts';
import { submitPages } from '../submit/submit-transactions.ts';
import {
  type Batch,
  type BatchFigures,
  type BatchResult,
  type BatchStage,
  type DayOfSales,
  differenceOf,
  makerOf,
} from './batch.ts';

/** What became of a batch, or why another worker has to do it. */
export type BatchOutcome = { readonly done: Json } | { readonly refused: string };

/**
 * Does batches of these entities with the functions of the stages. What is done of one already is not done again.
 * What `advanced` throws ends the batch.
 */
export type BatchDoer = (batch: Batch, advanced: Advanced) => Promise<BatchOutcome>;

export const batchDoer = (closes: readonly ClosePorts[]): BatchDoer => {
  const doers = new Map(
    closes.map((close) => [close.workspace.entity, { maker: makerOf(close), ...doingsOf(close) }]),
  );
  return async (batch, advanced) => {
    const own = doers.get(batch.entity);
    if (!own) return { refused: `its configuration has no entity ${batch.entity}` };
    const difference = differenceOf(own.maker, batch.maker);
    if (difference !== undefined) return { refused: difference };
    return { done: await own[batch.stage](batch, advanced) };
  };
};

type Doing = (batch: Batch, advanced: Advanced) => Promise<BatchResult>;
type Pages = AsyncIterable<readonly SettledSale[]>;

const doingsOf = (ports: ClosePorts): Readonly<Record<BatchStage, Doing>> => {
  /** Do something with the sales of a batch, and say how many they were. */
  const withSales = async (
    batch: Batch,
    work: (pages: Pages) => Promise<BatchFigures>,
  ): Promise<BatchResult> => {
    let sales = 0;
    async function* pages(): AsyncGenerator<readonly SettledSale[]> {
      for await (const page of postedSalesOf(ports.workspace, batch.period, partOf(batch))) {
        sales += page.length;
        yield page;
      }
    }
    return { figures: await work(pages()), items: sales };
  };
  return {
    recompute: (batch, advanced) =>
      withSales(batch, (pages) =>
        recomputePages(ports, pages, { spare: { left: Number.MAX_SAFE_INTEGER }, advanced }),
      ),
    submit: (batch, advanced) => withSales(batch, (pages) => submitPages(ports, pages, advanced)),
    'pull-back': async ({ items }, advanced) => ({
      figures: await readBack(ports, each(items as readonly ListedRecord[]), advanced),
      items: items.length,
    }),
    reconcile: (batch, advanced) =>
      withSales(batch, (pages) => reconcilePages(ports, batch.period, pages, advanced)),
  };
};

const partOf = ({ items }: Batch): PartOfSales => {
  const [first] = items;
  if (typeof first === 'string') return { keys: items as readonly string[] };
  return { day: (first as DayOfSales).day };
};

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
