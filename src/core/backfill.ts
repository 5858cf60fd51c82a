import { dirname } from 'node:path';
import { checkBudget } from '../ask/plan-calculations.ts';
import type { TaxService } from '../contract/tax-service.ts';
import { type MonthFigures, monthFigures } from '../figures/period-report.ts';
import { ExitCode, exitCodeOf, TieoutError } from '../kernel/errors.ts';
import { type FilingPeriod, isWithin, monthsOf } from '../kernel/period.ts';
import { shownCount } from '../kernel/text.ts';
import { type ClosePorts, isEmbedded } from '../periods/close-ports.ts';
import { type Locks, publishedPeriods } from '../periods/folders.ts';
import { exitCodeOfReport, notedRun } from '../periods/runs.ts';
import {
  neverStopping,
  type StageRunner,
  stageRunner,
  stopIfAsked,
  type Watch,
} from '../runtime/pipeline.ts';
import { silentProgress } from '../runtime/progress.ts';
import { type ClosedPeriod, closeRead } from './close.ts';
import { planOfPeriod } from './plan.ts';
import { outdatedBehind, type Reading, readStage, takeLocks } from './reading.ts';
import { inputsOf, toldBefore } from './unchanged.ts';

export type BackfillPorts = ClosePorts & Watch;

/** The outcome of a month. */
export type MonthOutcome = {
  readonly period: FilingPeriod;
  /** `to close` once it is closed; `closed before` by an earlier run, and unchanged since. */
  readonly kind: 'to close' | 'closed before' | 'locked' | 'stopped';
  readonly exitCode: ExitCode;
  /** The locked period that contains the month, or its last amended version, if there is one. */
  readonly lockedBy?: string;
  /**
   * A locked month has them if it was locked itself: what was closed of it before a longer period was locked is not what
   * was filed.
   */
  readonly figures?: MonthFigures;
  readonly error?: unknown;
};

/** A month to close, and the calculations that its sales need and that no earlier month will have stored by then. */
type OpenMonth = { readonly period: FilingPeriod; readonly calculations: number };

type PlannedMonth = MonthOutcome | OpenMonth;

const isOpen = (month: PlannedMonth): month is OpenMonth => 'calculations' in month;

/**
 * Closes the months of a range after one reading of the exports. The call budget is checked for all of them before the
 * first call. They are closed in order, because each takes over what the one before leaves; one that fails does not stop
 * the others.
 *
 * @throws {TieoutError} E_STOPPED, E_BACKFILL_RANGE
 */
export const backfillDays = async (run: StageRunner, ports: BackfillPorts, range: FilingPeriod) => {
  if (monthsOf(range).length === 1) throw oneMonth(range);
  const locks = await takeLocks(ports);
  const before = await monthsBefore(ports, locks, range);
  const left = monthsOf(range).slice(before.length);
  const reading = left.length > 0 ? await readStage(run, ports, locks) : undefined;
  const planned = await run.stage('plan', async (advanced) => {
    const kept = new Set<string>();
    const months: PlannedMonth[] = [...before];
    for (const period of left) {
      // Each close asks its own service again, and a remote one only for what no month before it has asked.
      const asked = isEmbedded(ports) ? new Set<string>() : kept;
      const locked = await lockedMonth(locks, period);
      const plan = !locked && reading ? await planOfPeriod(ports, reading, period, asked) : undefined;
      months.push(locked ?? { period, calculations: plan?.toAsk ?? 0 });
      advanced(months.length, monthsOf(range).length);
    }
    const open = months.filter(isOpen);
    const toAsk = open.reduce((sum, { calculations }) => sum + calculations, 0);
    checkBudget({ toAsk, budget: ports.maxCalculations ?? null }, `the ${open.length} months need`);
    const countOf = (kind: MonthOutcome['kind']): number =>
      months.filter((one) => !isOpen(one) && one.kind === kind).length;
    const summary = `${open.length} to close with ${shownCount(toAsk)} calculations or more, ${countOf('closed before')} closed before, ${countOf('locked')} locked`;
    return { value: months, summary };
  });
  const months = await run.stage('months', async (advanced) => {
    const portsOf = sharingBudget(ports, planned);
    const outcomes: MonthOutcome[] = [];
    for (const [index, month] of planned.entries()) {
      const outcome = isOpen(month)
        ? await closeMonth(portsOf(index), reading as Reading, month.period)
        : month;
      outcomes.push(outcome);
      advanced(outcomes.length, planned.length);
    }
    stopIfAsked(ports.stopping ?? neverStopping, range.label);
    return { value: outcomes, summary: summaryOf(outcomes) };
  });
  return { inputs: [], months, outdated: await outdatedBehind(ports, locks) };
};

/** Closes a month whose exports are read. An error is the outcome of that month alone. */
const closeMonth = async (
  ports: BackfillPorts,
  reading: Reading,
  period: FilingPeriod,
): Promise<MonthOutcome> => {
  const { stopping = neverStopping } = ports;
  const run = stageRunner({ progress: silentProgress, stopping });
  try {
    stopIfAsked(stopping, period.label);
    const { written } = await notedRun(ports, period, async () =>
      closeRead({ run, ports, period, inputs: await inputsOf(ports, period), ...reading }),
    );
    return { ...closedAs(written.report), period, kind: 'to close' };
  } catch (error) {
    return { period, kind: 'stopped', exitCode: exitCodeOf(error), error };
  }
};

const closedAs = (report: ClosedPeriod['written']['report']) => ({
  exitCode: exitCodeOfReport(report),
  figures: monthFigures(report),
});

/** Returns a month whose days are locked, with its figures where it was locked by itself. */
const lockedMonth = async (locks: Locks, period: FilingPeriod): Promise<MonthOutcome | undefined> => {
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
  // The exceptions of a locked period were judged when it was locked.
  const outcome = { period, kind: 'locked', exitCode: ExitCode.clean, lockedBy: lock.name } as const;
  return { ...outcome, ...(figures && { figures }) };
};

/** Returns the first months of a range that are locked, or closed and unchanged. Each rests on those before it. */
const monthsBefore = async (ports: BackfillPorts, locks: Locks, range: FilingPeriod) => {
  const months: MonthOutcome[] = [];
  const known = new Map<string, string>();
  for (const period of monthsOf(range)) {
    const locked = await lockedMonth(locks, period);
    const inputs = locked ? undefined : await inputsOf(ports, period, known);
    const told = inputs ? await toldBefore<ClosedPeriod>(ports, period, inputs) : undefined;
    if (told) {
      const { written } = await notedRun(ports, period, async () => told);
      months.push({ ...closedAs(written.report), period, kind: 'closed before' });
    } else if (locked) months.push(locked);
    else break;
  }
  return months;
};

const oneMonth = ({ label }: FilingPeriod): TieoutError =>
  new TieoutError({
    code: 'E_BACKFILL_RANGE',
    message: `${label} is one month`,
    nextStep: `Use \`tieout close ${label}\``,
  });

/**
 * Shares one budget between all months, and returns the ports of the month at a place. A month may use what earlier months
 * left over, except what the sales of later months need, so explaining variances never takes a calculation from a sale.
 */
const sharingBudget = (ports: BackfillPorts, months: readonly PlannedMonth[]) => {
  let asked = 0;
  const service: TaxService = {
    ...ports.service,
    calculateTax: (request) => {
      asked += 1;
      return ports.service.calculateTax(request);
    },
  };
  const needed = months.map((month) => (isOpen(month) ? month.calculations : 0));
  return (index: number): BackfillPorts => {
    const neededAfter = needed.slice(index + 1).reduce((sum, each) => sum + each, 0);
    const left = (ports.maxCalculations ?? 0) - asked - neededAfter;
    const isLimited = ports.maxCalculations !== undefined;
    return { ...ports, service, ...(isLimited && { maxCalculations: Math.max(needed[index] ?? 0, left) }) };
  };
};

const summaryOf = (outcomes: readonly MonthOutcome[]): string => {
  const closed = outcomes.filter(({ kind }) => kind === 'to close');
  const countOf = (wanted: MonthOutcome['kind']) => outcomes.filter(({ kind }) => kind === wanted).length;
  const counts = [
    [closed.filter(({ exitCode }) => exitCode === ExitCode.clean).length, 'closed'],
    [closed.filter(({ exitCode }) => exitCode === ExitCode.open).length, 'closed with something open'],
    [countOf('closed before'), 'closed before'],
    [countOf('locked'), 'locked'],
    [countOf('stopped'), 'stopped'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ');
};
