import type { Json } from '../../../kernel/digest.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { type NamesPage, postedNamesOf } from '../../workspace/sale-names.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import { postedSalesOf, salesOf } from '../../workspace/sales-of.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { readBackPages } from '../pull-back/read-back.ts';
import { askPages } from '../recompute/hand-out-recompute.ts';
import { recomputePages } from '../recompute/recompute-pages.ts';
import { reconcilePages } from '../reconcile/reconcile-sales.ts';
import { submitPages } from '../submit/submit-transactions.ts';
import {
  type Batch,
  type BatchFigures,
  type BatchResult,
  type BatchStage,
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
    const difference = await differenceOf(own.maker, batch.maker);
    if (difference !== undefined) return { refused: difference };
    return { done: await own[batch.stage](batch, advanced) };
  };
};

type Doing = (batch: Batch, advanced: Advanced) => Promise<BatchResult>;
type Reader<Page> = (
  workspace: Workspace,
  period: FilingPeriod,
  part: { readonly slots: readonly string[] },
) => AsyncGenerator<Page>;

const doingsOf = (ports: ClosePorts): Readonly<Record<BatchStage, Doing>> => {
  /** Do something with the pages of a batch, and say how many sales were done. */
  const withPages =
    <Page extends NamesPage | SalesPage>(
      read: Reader<Page>,
      work: (pages: AsyncGenerator<Page>, advanced: Advanced, batch: Batch) => Promise<BatchFigures>,
    ): Doing =>
    async (batch, advanced) => {
      let sales = 0;
      const counted: Advanced = (done) => {
        sales = done;
        advanced(done);
      };
      const pages = read(ports.workspace, batch.period, { slots: batch.slots });
      return { figures: await work(pages, counted, batch), sales };
    };
  return {
    ask: withPages(postedSalesOf, (pages, advanced, { keys }) =>
      askPages(ports, pages, new Set(keys), advanced),
    ),
    recompute: withPages(postedSalesOf, (pages, advanced) =>
      recomputePages(ports, pages, { spare: { left: Number.MAX_SAFE_INTEGER }, advanced }),
    ),
    submit: withPages(postedSalesOf, (pages, advanced) => submitPages(ports, pages, advanced)),
    'pull-back': withPages(postedNamesOf, (pages, advanced) => readBackPages(ports, pages, advanced)),
    reconcile: withPages(salesOf, (pages, advanced, { period }) =>
      reconcilePages(ports, period, pages, advanced),
    ),
  };
};
