import type { FilingPeriod } from '../../kernel/period.ts';
import { locksOf } from '../workspace/locks.ts';
import { beginningOf } from '../workspace/sale-page.ts';
import { dropPages, type PageKind, pageHeads } from '../workspace/stage-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { filingPlan, isOpenSpan } from './filing-plan.ts';
import { slotsOf } from './sales-of.ts';

/** Drop the results of a stage for pages that the period no longer has. */
export const sweepPages = async (
  workspace: Workspace,
  stage: PageKind,
  period: FilingPeriod,
): Promise<void> => {
  const present = new Set<string>();
  for await (const slot of slotsOf(workspace, period)) present.add(slot);
  for (const { first, last } of filingPlan(period, await locksOf(workspace)).spans.filter(isOpenSpan)) {
    const heads = await pageHeads(workspace, stage, { first: beginningOf(first), last: beginningOf(last) });
    const stale = heads.filter(({ slot }) => !present.has(slot));
    await dropPages(
      workspace,
      stage,
      stale.map(({ slot }) => slot),
    );
  }
};
