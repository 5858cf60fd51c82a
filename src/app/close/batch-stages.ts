import { postedNamesOf } from '../../close/period-sales/sale-names.ts';
import { postedSalesOf, salesOf } from '../../close/period-sales/sales-of.ts';
import { readShare, type ShareToRead } from '../../close/stages/extract/blocks/read-share.ts';
import { readBackPages } from '../../close/stages/read-back/read-back-pages.ts';
import { askPages } from '../../close/stages/recompute/distribute-recompute.ts';
import { recomputePages } from '../../close/stages/recompute/recompute-pages.ts';
import { reconcilePages } from '../../close/stages/reconcile/reconcile-sales.ts';
import type { ClosePorts } from '../../close/stages/run/close-ports.ts';
import {
  type BatchRunner,
  type BatchStages,
  batchRunner,
  withPages,
} from '../../close/stages/sharing/run-batch.ts';
import { submitPages } from '../../close/stages/submit/submit-transactions.ts';
import { writePagesOfDay } from '../../close/workspace/write-sale-pages.ts';

/** Returns a runner for batches of these entities in a thread or a worker, with the functions of a close on its own. */
export const closeBatchDoer = (closes: readonly ClosePorts[]): BatchRunner =>
  batchRunner(closes, batchStages);

const batchStages = (ports: ClosePorts): BatchStages => ({
  ask: withPages(ports, postedSalesOf, (pages, advanced, { keys }) =>
    askPages(ports, pages, new Set(keys), advanced),
  ),
  recompute: withPages(ports, postedSalesOf, (pages, advanced) =>
    recomputePages(ports, pages, { spare: { left: Number.MAX_SAFE_INTEGER }, advanced }),
  ),
  submit: withPages(ports, postedSalesOf, (pages, advanced) => submitPages(ports, pages, advanced)),
  'read-back': withPages(ports, postedNamesOf, (pages, advanced) => readBackPages(ports, pages, advanced)),
  extract: ({ share, isElsewhere }, advanced) =>
    readShare(ports, share as unknown as ShareToRead, advanced, isElsewhere),
  'sale-pages': async ({ day }) => {
    await writePagesOfDay(ports.workspace, day);
    return null;
  },
  reconcile: withPages(ports, salesOf, (pages, advanced, { period }) =>
    reconcilePages(ports, period, pages, advanced),
  ),
});
