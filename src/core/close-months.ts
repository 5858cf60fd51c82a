import { type MonthFigures, monthFigures } from '../close/figures/month-figures.ts';
import type { TaxService } from '../contract/tax-service.ts';
import { ExitCode, exitCodeOf } from '../kernel/errors.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { exitCodeOfReport } from '../periods/runs.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { type StageResult, type StageRunner, stageRunner, type Watch } from '../runtime/pipeline.ts';
import { silentProgress } from '../runtime/progress.ts';
import { neverStopping, stopIfAsked } from '../runtime/stopping.ts';
import type { WrittenReport } from './write-report.ts';

/** The outcome of a month. */
export type MonthOutcome = {
  readonly period: FilingPeriod;
  readonly kind: PlannedMonth['kind'] | 'stopped';
  readonly exitCode: ExitCode;
  /** The locked period that contains the month, if there is one. */
  readonly lockedBy?: string;
  readonly figures?: MonthFigures;
  readonly error?: unknown;
};

/** Closes one month whose exports are read; `run` runs its stages one by one. */
export type CloseMonth = (
  run: StageRunner,
  ports: ClosePorts,
  period: FilingPeriod,
) => Promise<{ readonly written: Pick<WrittenReport, 'report'> }>;

export type BackfillPorts = ClosePorts &
  Watch & {
    /** Watches one month, in addition to the watch of the whole backfill. */
    readonly watchMonth?: (period: FilingPeriod) => Watch;
  };

/**
 * Close months in order. An error in one month is the outcome of that month, and the others continue. A request to stop ends all of them.
 *
 * @throws {TieoutError} E_STOPPED
 */
export const closeMonths = async (
  ports: BackfillPorts,
  months: readonly PlannedMonth[],
  advanced: Advanced,
  closeMonth: CloseMonth,
): Promise<StageResult<readonly MonthOutcome[]>> => {
  const { service, allowanceOf } = withSharedBudget(ports, months);
  const one = async (month: PlannedMonth, index: number): Promise<MonthOutcome> => {
    const { period } = month;
    if (month.kind !== 'to close') return withoutWork(month);
    const watch = ports.watchMonth?.(period) ?? {
      progress: silentProgress,
      stopping: ports.stopping ?? neverStopping,
    };
    const stages = stageRunner(watch);
    const own: ClosePorts = {
      ...ports,
      service,
      // The month's recomputation reads this after all earlier months have had theirs.
      get maxCalculations() {
        return allowanceOf(index);
      },
    };
    try {
      stopIfAsked(ports.stopping ?? neverStopping, period.label);
      const { report } = (await closeMonth(stages, own, period)).written;
      const exitCode = exitCodeOfReport(report);
      return { period, kind: 'to close', exitCode, figures: monthFigures(report) };
    } catch (error) {
      return { period, kind: 'stopped', exitCode: exitCodeOf(error), error };
    }
  };
  const outcomes: MonthOutcome[] = [];
  for (const [index, month] of months.entries()) {
    outcomes.push(await one(month, index));
    advanced(outcomes.length, months.length);
  }
  stopIfAsked(ports.stopping ?? neverStopping, range(months));
  return { value: outcomes, summary: summaryOf(outcomes) };
};

const range = (months: readonly PlannedMonth[]): string =>
  `${months[0]?.period.label}..${months.at(-1)?.period.label}`;

const withoutWork = (month: Exclude<PlannedMonth, { readonly kind: 'to close' }>): MonthOutcome => {
  const { kind, period, figures } = month;
  return {
    period,
    kind,
    // The exceptions of a locked period were judged when it was locked.
    exitCode: kind === 'locked' || !figures ? ExitCode.clean : exitCodeOfReport(figures),
    ...(kind === 'locked' && { lockedBy: month.by }),
    ...(figures && { figures }),
  };
};

/**
 * Shares one budget between all months. A month may use what earlier months left over, except what the sales of later
 * months need, so explaining variances never takes a calculation from a sale. The plan already granted the calculations
 * that its own sales need.
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

/** The work that is left for a month. */
export type PlannedMonth =
  /** `calculations` counts those that its sales need and that no earlier month will have stored by then. */
  | { readonly kind: 'to close'; readonly period: FilingPeriod; readonly calculations: number }
  /** Closed by an earlier run and unchanged since. */
  | { readonly kind: 'closed before'; readonly period: FilingPeriod; readonly figures: MonthFigures }
  /**
   * Filed: `by` is the locked period, or its last amended version. `figures` exist when the month was locked itself: what
   * was closed of it before a longer period was locked is not what was filed.
   */
  | {
      readonly kind: 'locked';
      readonly period: FilingPeriod;
      readonly by: string;
      readonly figures: MonthFigures | undefined;
    };
