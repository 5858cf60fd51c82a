import { changedPart } from '../../../kernel/parts.ts';
import { type FilingPeriod, monthsOf } from '../../../kernel/period.ts';
import { shownCount } from '../../../kernel/shown-figures.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { workParts } from '../../configuration/parts.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import { areFilesIntact, type Closing, closingOf, workspaceParts } from '../../periods/closing.ts';
import { locksOf } from '../../workspace/locks.ts';
import { checkBudget, planCalculations } from '../recompute/plan-calculations.ts';
import { type Advanced, type ClosePorts, isEmbedded } from '../run/close-ports.ts';
import { periodFolder } from '../run/period-folder.ts';
import { backfillFolder } from './backfill-folder.ts';

/** What is to be done about a month. */
export type PlannedMonth =
  /** `calculations` are those that its sales need, and that no earlier month has kept for it by then. */
  | { readonly kind: 'to close'; readonly period: FilingPeriod; readonly calculations: number }
  /** Closed by an earlier run, and nothing has changed since. */
  | { readonly kind: 'closed before'; readonly period: FilingPeriod; readonly report: PeriodReport }
  /** Filed: `by` is the locked period, or its last amended version. The report is there when the month itself was closed. */
  | {
      readonly kind: 'locked';
      readonly period: FilingPeriod;
      readonly by: string;
      readonly report: PeriodReport | undefined;
    };

/**
 * What is left to do of many months, and whether the call budget covers it, before anything is asked. The files of a
 * month name those of the month before, so from the first month that is to be closed on, all are.
 *
 * @throws {TieoutError} E_CALL_BUDGET, E_BACKFILL_RANGE
 */
export const planMonths = async (
  ports: ClosePorts,
  range: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<readonly PlannedMonth[]>> => {
  backfillFolder(ports, range);
  const locks = (await locksOf(ports.workspace)).filter(({ state }) => state === 'locked');
  const months = monthsOf(range);
  const planned: PlannedMonth[] = [];
  const asked = new Set<string>();
  let toAsk = 0;
  for (const period of months) {
    advanced(planned.length, months.length);
    const lock = locks.findLast(({ first, last }) => first <= period.last && period.first <= last);
    const isChanged = planned.some(({ kind }) => kind === 'to close');
    const closing = lock || isChanged ? undefined : await currentClosing(ports, period);
    if (lock) {
      const label = lock.period === period.label ? lock.label : period.label;
      const report = (await closingOf(ports.workspace, label))?.report;
      planned.push({ kind: 'locked', period, by: lock.label, report });
    } else if (closing) {
      planned.push({ kind: 'closed before', period, report: closing.report });
    } else {
      // Answers of the embedded service lie with the sales of their month, and another month asks for its own.
      const known = isEmbedded(ports) ? new Set<string>() : asked;
      const { value: plan } = await planCalculations(ports, period, () => {}, known);
      planned.push({ kind: 'to close', period, calculations: plan.toAsk });
      toAsk += plan.toAsk;
    }
  }
  checkBudget({ toAsk, budget: ports.maxCalculations ?? null }, `the ${months.length} months need`);
  const count = (kind: PlannedMonth['kind']) => planned.filter((month) => month.kind === kind).length;
  return {
    value: planned,
    summary: `${count('to close')} to close with ${shownCount(toAsk)} calculations or more, ${count('closed before')} closed before, ${count('locked')} locked`,
  };
};

/** What decides which files a month has: its figures, the month before from which some are carried on, and who works on them. */
const DEPENDS_ON = ['program', 'service', 'configuration', 'before', 'figures'] as const;

/** The last close of a period, when it would write the same files again, and these stand where they belong; else `undefined`. */
const currentClosing = async (ports: ClosePorts, period: FilingPeriod): Promise<Closing | undefined> => {
  const closing = await closingOf(ports.workspace, period.label);
  if (!closing || ports.recompute) return undefined;
  const now = { ...workParts(ports), ...workspaceParts(ports.workspace, period) };
  const isCurrent = (await changedPart(closing.parts, now, DEPENDS_ON)) === undefined;
  return isCurrent && (await areFilesIntact(closing, periodFolder(ports, period))) ? closing : undefined;
};
