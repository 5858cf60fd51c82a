import pLimit from 'p-limit';
import type { TaxService } from '../../../contract/tax-service.ts';
import { ExitCode, exitCodeOf } from '../../../kernel/exit-code.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { type StageResult, type StageRunner, stageRunner, type Watch } from '../../../runtime/pipeline.ts';
import { silentProgress } from '../../../runtime/progress.ts';
import { stageQueue } from '../../../runtime/stage-queue.ts';
import { neverStopping, stopIfAsked } from '../../../runtime/stopping.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { VoidedSignatures, WrittenReport } from '../report/write-report.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { exitCodeOfReport } from '../run/record-run.ts';
import type { PlannedMonth } from './plan-months.ts';

/** What became of a month. */
export type MonthOutcome = {
  readonly period: FilingPeriod;
  readonly kind: PlannedMonth['kind'] | 'stopped';
  readonly exitCode: ExitCode;
  /** The locked period, of a month that is in one. */
  readonly lockedBy?: string;
  readonly report?: PeriodReport;
  /** Signatures that do not stand under what was written. */
  readonly voided?: VoidedSignatures;
  readonly error?: unknown;
};

/** Closes one month whose exports are read, its stages run one by one by `run`. */
export type CloseMonth = (
  run: StageRunner,
  ports: ClosePorts,
  period: FilingPeriod,
) => Promise<{ readonly written: Pick<WrittenReport, 'report' | 'voided'> }>;

export type BackfillPorts = ClosePorts &
  Watch & {
    /** Who watches a month, beside anyone who watches the whole. */
    readonly watchMonth?: (period: FilingPeriod) => Watch;
  };

/**
 * Close months side by side, at most `parallel` at once. What stops one is its own outcome, and the others go on; to
 * be asked to stop ends them all.
 *
 * @throws {TieoutError} E_STOPPED
 */
export const closeMonths = async (
  ports: BackfillPorts,
  months: readonly PlannedMonth[],
  { parallel, advanced }: { readonly parallel: number; readonly advanced: Advanced },
  closeMonth: CloseMonth,
): Promise<StageResult<readonly MonthOutcome[]>> => {
  const { service, allowanceOf } = withSharedBudget(ports, months);
  const order = stageQueue(months.length);
  // What a budget leaves over for explanations must not depend on which month came first: then none overlap.
  const gate = pLimit(ports.maxCalculations === undefined ? parallel : 1);
  let done = 0;
  const one = async (month: PlannedMonth, index: number): Promise<MonthOutcome> => {
    const { period } = month;
    if (month.kind !== 'to close') return withoutWork(month);
    const watch = ports.watchMonth?.(period) ?? {
      progress: silentProgress,
      stopping: ports.stopping ?? neverStopping,
    };
    const stages = stageRunner(watch);
    const inTurn: StageRunner = {
      stage: (name, work) => order.enter(index, name, () => stages.stage(name, work)),
    };
    const own: ClosePorts = {
      ...ports,
      service,
      // Read by the month's own recomputation, when all months before it have had theirs.
      get maxCalculations() {
        return allowanceOf(index);
      },
    };
    try {
      stopIfAsked(ports.stopping ?? neverStopping, period.label);
      const { report, voided } = (await closeMonth(inTurn, own, period)).written;
      const exitCode = exitCodeOfReport(report);
      return { period, kind: 'to close', exitCode, report, ...(voided && { voided }) };
    } catch (error) {
      return { period, kind: 'stopped', exitCode: exitCodeOf(error), error };
    }
  };
  const outcomes = await Promise.all(
    months.map((month, index) =>
      gate(async () => {
        const outcome = await one(month, index);
        order.end(index);
        done += 1;
        advanced(done, months.length);
        return outcome;
      }),
    ),
  );
  stopIfAsked(ports.stopping ?? neverStopping, range(months));
  return { value: outcomes, summary: summaryOf(outcomes) };
};

const range = (months: readonly PlannedMonth[]): string =>
  `${months[0]?.period.label}..${months.at(-1)?.period.label}`;

const withoutWork = (month: Exclude<PlannedMonth, { readonly kind: 'to close' }>): MonthOutcome => {
  const { kind, period, report } = month;
  return {
    period,
    kind,
    // What is locked was judged when it was locked.
    exitCode: kind === 'locked' || !report ? ExitCode.clean : exitCodeOfReport(report),
    ...(kind === 'locked' && { lockedBy: month.by }),
    ...(report && { report }),
  };
};

/**
 * One budget for all months. A month may use what those before it left over, except what the sales of later months
 * need: what explains variances never takes a calculation from a sale. What its own sales need was granted with the plan.
 */
const withSharedBudget = (
  ports: BackfillPorts,
  months: readonly PlannedMonth[],
): { readonly service: TaxService; readonly allowanceOf: (index: number) => number | undefined } => {
  let asked = 0;
  const service: TaxService = {
    ...ports.service,
    calculateTax: (request) => {
      asked += 1;
      return ports.service.calculateTax(request);
    },
  };
  const needed = months.map((month) => (month.kind === 'to close' ? month.calculations : 0));
  const { maxCalculations } = ports;
  return {
    service,
    allowanceOf: (index) => {
      if (maxCalculations === undefined) return undefined;
      const neededAfter = needed.slice(index + 1).reduce((sum, each) => sum + each, 0);
      return Math.max(needed[index] ?? 0, maxCalculations - asked - neededAfter);
    },
  };
};

const summaryOf = (outcomes: readonly MonthOutcome[]): string => {
  const closed = outcomes.filter(({ kind }) => kind === 'to close');
  const counts = [
    [closed.filter(({ exitCode }) => exitCode === ExitCode.clean).length, 'closed'],
    [closed.filter(({ exitCode }) => exitCode === ExitCode.open).length, 'closed with something open'],
    [outcomes.filter(({ kind }) => kind === 'closed before').length, 'closed before'],
    [outcomes.filter(({ kind }) => kind === 'locked').length, 'locked'],
    [outcomes.filter(({ kind }) => kind === 'stopped').length, 'stopped'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ');
};
