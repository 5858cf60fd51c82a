import { dirname, join } from 'node:path';
import { checkBudget, planOfSales } from '../ask/plan-calculations.ts';
import { type MonthFigures, monthFigures } from '../close/figures/period-report.ts';
import { backfillBook } from '../close/report/backfill-book.ts';
import type { TaxService } from '../contract/tax-service.ts';
import { ExitCode, exitCodeOf, TieoutError } from '../kernel/errors.ts';
import { type FilingPeriod, isWithin, monthsOf } from '../kernel/period.ts';
import { shownCount } from '../kernel/text.ts';
import { type Locks, publishedPeriods } from '../periods/folders.ts';
import { exitCodeOfReport, notedRun } from '../periods/runs.ts';
import { type Advanced, type ClosePorts, isEmbedded } from '../run/close-ports.ts';
import { periodFolder } from '../run/period-folder.ts';
import {
  neverStopping,
  type StageResult,
  type StageRunner,
  stageRunner,
  stopIfAsked,
  type Watch,
} from '../runtime/pipeline.ts';
import { silentProgress } from '../runtime/progress.ts';
import { publishFolder } from '../runtime/publish-folder.ts';
import { type ClosedPeriod, closeRead, type Reading, readStage } from './close.ts';
import { outdatedBehind, takeLocks } from './locked.ts';
import type { WrittenReport } from './outcome.ts';
import { postedSales } from './plan.ts';
import { inputsOf, toldBefore } from './unchanged.ts';

/**
 * Closes the months of a range after one reading of the exports. The call budget is checked for all of them before the
 * first call. They are closed in order, because each takes over what the one before leaves; one that fails does not stop
 * the others.
 */
export const backfillDays = async (run: StageRunner, ports: BackfillPorts, range: FilingPeriod) => {
  backfillFolder(ports, range);
  const locks = await takeLocks(ports);
  const before = await monthsBefore(ports, locks, range);
  const left = monthsOf(range).slice(before.length);
  const reading = left.length > 0 ? await readStage(run, ports, locks) : undefined;
  const planned = await run.stage('plan', async (advanced) => {
    const kept = new Set<string>();
    const months: PlannedMonth[] = [...before];
    for (const period of reading ? left : []) {
      // Each close asks its own service again, and a remote one only for what no month before it has asked.
      const asked = isEmbedded(ports) ? new Set<string>() : kept;
      const locked = await lockedMonth(locks, period);
      const sales = locked || !reading ? [] : postedSales(reading.exports, period);
      const { toAsk } = await planOfSales(ports, sales, asked);
      months.push(locked ?? { kind: 'to close', period, calculations: toAsk });
      advanced(months.length, monthsOf(range).length);
    }
    const toClose = months.filter((month) => month.kind === 'to close');
    const toAsk = toClose.reduce((sum, { calculations }) => sum + calculations, 0);
    checkBudget({ toAsk, budget: ports.maxCalculations ?? null }, `the ${toClose.length} months need`);
    const countOf = (kind: PlannedMonth['kind']): number => months.filter((one) => one.kind === kind).length;
    const summary = `${toClose.length} to close with ${shownCount(toAsk)} calculations or more, ${countOf('closed before')} closed before, ${countOf('locked')} locked`;
    return { value: months, summary };
  });
  const months = await run.stage('months', (advanced) =>
    closeMonths(ports, planned, advanced, (stages, own, period) =>
      notedRun(own, 'historical-backfill', period, async () =>
        closeRead({
          run: stages,
          ports: own,
          period,
          inputs: await inputsOf(own, period),
          ...(reading as Reading),
        }),
      ),
    ),
  );
  const written = await run.stage('report', () => writeBackfill(ports, range, months));
  return {
    inputs: [],
    months,
    written,
    outdated: await outdatedBehind(ports, locks),
  };
};

/** Returns a month whose days are locked, with its figures where it was locked by itself. */
const lockedMonth = async (locks: Locks, period: FilingPeriod): Promise<PlannedMonth | undefined> => {
  const lock = locks.periods.find(
    ({ first, last }) => isWithin({ first, last }, period.first) && isWithin({ first, last }, period.last),
  );
  if (!lock) return undefined;
  const published = await publishedPeriods(dirname(lock.folder), new Set([lock.name]));
  const own = lock.label === period.label ? await published.of(lock.name) : undefined;
  const figures = own && {
    states: own.leaves.states,
    readiness: own.leaves.readiness,
    open: own.manifest.content.exceptions.open,
  };
  return { kind: 'locked', period, by: lock.name, figures };
};

/** Returns the first months of a range that are locked, or closed and unchanged. Each rests on those before it. */
const monthsBefore = async (ports: BackfillPorts, locks: Locks, range: FilingPeriod) => {
  const months: PlannedMonth[] = [];
  const known = new Map<string, string>();
  for (const period of monthsOf(range)) {
    const locked = await lockedMonth(locks, period);
    const inputs = locked ? undefined : await inputsOf(ports, period, known);
    const told = inputs ? await toldBefore<ClosedPeriod>(ports, period, inputs) : undefined;
    if (told) {
      const { report } = (await notedRun(ports, 'historical-backfill', period, async () => told)).written;
      months.push({ kind: 'closed before', period, figures: monthFigures(report) });
    } else if (locked) months.push(locked);
    else break;
  }
  return months;
};

/**
 * Returns the folder of a backfill of a range, beside those of the periods and with a name that no period has.
 *
 * @throws {TieoutError} E_BACKFILL_RANGE
 */
export const backfillFolder = (ports: ClosePorts, range: FilingPeriod): string => {
  const { label } = range;
  if (monthsOf(range).length > 1) return join(dirname(periodFolder(ports, range)), `backfill-${label}`);
  throw new TieoutError({
    code: 'E_BACKFILL_RANGE',
    message: `${label} is one month`,
    nextStep: `Use \`tieout close ${label}\``,
  });
};

export type WrittenBackfill = { readonly folder: string; readonly files: readonly string[] };

/** Write the workbook on all months of a range into its own folder beside those of the months. */
export const writeBackfill = async (
  ports: ClosePorts,
  range: FilingPeriod,
  months: readonly MonthOutcome[],
): Promise<StageResult<WrittenBackfill>> => {
  const { writeWorkbook } = await import('../close/workbook/write-workbook.ts');
  const folder = backfillFolder(ports, range);
  const { files, changed } = await publishFolder(folder, async (staging) => {
    await writeWorkbook(
      join(staging, 'backfill.xlsx'),
      backfillBook({
        seller: ports.configuration.name,
        program: ports.program,
        service: ports.serviceId,
        range,
        months,
      }),
    );
  });
  return {
    value: { folder, files },
    summary: changed ? 'backfill.xlsx written' : 'backfill.xlsx, unchanged',
  };
};

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
