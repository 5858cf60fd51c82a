import type { TaxService } from '../contract/tax-service.ts';
import type { Leaves } from '../evidence/manifest.ts';
import { openExceptions, type PeriodReport } from '../figures/period-report.ts';
import { ExitCode, exitCodeOf, TieoutError } from '../kernel/errors.ts';
import { type FilingPeriod, monthsOf } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { Locks } from '../periods/folders.ts';
import { exitCodeOfReport, notedRun, noteFailedStart } from '../periods/runs.ts';
import {
  neverStopping,
  type StageRunner,
  silentProgress,
  stageRunner,
  stopIfAsked,
  type Watch,
} from '../runtime/pipeline.ts';
import { type ClosedPeriod, closeRead } from './close.ts';
import { outdatedBehind, type Reading, readStage, takeLocks } from './reading.ts';
import { inputsOf, toldBefore } from './unchanged.ts';

export type BackfillPorts = ClosePorts & Watch;

/** The outcome of a month. */
export type MonthOutcome = {
  readonly period: FilingPeriod;
  /** `closed before`: by an earlier run, and unchanged since. */
  readonly kind: 'closed' | 'closed before' | 'locked' | 'stopped';
  readonly exitCode: ExitCode;
  /** The locked period that contains the month, or its last amended version, if there is one. */
  readonly lockedBy?: string;
  /**
   * A locked month has them if it was locked itself: what was closed of it before a longer period was locked is not what
   * was filed.
   */
  readonly figures?: Pick<PeriodReport, 'readiness' | 'states'> & { readonly open: number };
  readonly error?: unknown;
};

/**
 * Closes the months of a range in order, because each takes over what the one before leaves. The exports are read once, and
 * only if a month is not locked and not unchanged. A month that fails does not stop the others; the call budget is that of
 * all months, so that a month for which too little is left is one of these.
 *
 * @throws {TieoutError} E_STOPPED, E_BACKFILL_RANGE
 */
export const backfillDays = async (run: StageRunner, ports: BackfillPorts, range: FilingPeriod) => {
  if (monthsOf(range).length === 1) throw oneMonth(range);
  const locks = await takeLocks(ports);
  const { maxCalculations: most, service } = ports;
  let asked = 0;
  const calculateTax: TaxService['calculateTax'] = (request) => {
    asked += 1;
    return service.calculateTax(request);
  };
  const known = new Map<string, string>();
  let reading: Reading | undefined;
  const months = await run.stage('months', async (advanced) => {
    const outcomes: MonthOutcome[] = [];
    for (const period of monthsOf(range)) {
      const locked = lockedMonth(locks, period);
      const inputs = locked ? undefined : await inputsOf(ports, period, known);
      const told = inputs && (await toldBefore<ClosedPeriod>(ports, period, inputs));
      if (locked) outcomes.push(locked);
      else if (told) {
        const { written } = await notedRun(ports, period, async () => told);
        outcomes.push({ ...closedAs(written.report), period, kind: 'closed before' });
      } else {
        reading ??= await readStage(run, ports, locks).catch(async (error: unknown) => {
          await noteFailedStart(ports, [period], error).catch(() => {});
          throw error;
        });
        const left = most === undefined ? {} : { maxCalculations: most - asked };
        const own = { ...ports, service: { ...service, calculateTax }, ...left };
        // A month of which a budget cut the questions short is closed again with the whole one.
        const given = most === undefined ? inputs : await inputsOf(own, period, known);
        outcomes.push(await closeMonth(own, reading, period, given));
      }
      advanced(outcomes.length, monthsOf(range).length);
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
  inputs: string | undefined,
): Promise<MonthOutcome> => {
  const { stopping = neverStopping } = ports;
  const run = stageRunner({ progress: silentProgress, stopping });
  try {
    stopIfAsked(stopping, period.label);
    const { written } = await notedRun(ports, period, async () =>
      closeRead({
        run,
        ports,
        period,
        inputs,
        ...reading,
      }),
    );
    return { ...closedAs(written.report), period, kind: 'closed' };
  } catch (error) {
    return { period, kind: 'stopped', exitCode: exitCodeOf(error), error };
  }
};

const closedAs = (report: ClosedPeriod['written']['report']) => ({
  exitCode: exitCodeOfReport(report),
  figures: {
    readiness: report.readiness,
    states: report.states,
    open: openExceptions(report).length,
  },
});

/** Returns a month whose days are locked, with its figures where it was locked by itself. */
const lockedMonth = (locks: Locks, period: FilingPeriod): MonthOutcome | undefined => {
  const lock = locks.periods.find(({ first, last }) => first <= period.first && period.last <= last);
  if (!lock) return undefined;
  const { readiness, states } = lock.content.leaves as Leaves;
  const figures = { readiness, states, open: lock.content.exceptions.open };
  const isOwn = lock.label === period.label;
  // The exceptions of a locked period were judged when it was locked.
  const outcome = { period, kind: 'locked', exitCode: ExitCode.clean, lockedBy: lock.name } as const;
  return { ...outcome, ...(isOwn && { figures }) };
};

const oneMonth = ({ label }: FilingPeriod): TieoutError =>
  new TieoutError({
    code: 'E_BACKFILL_RANGE',
    message: `${label} is one month`,
    nextStep: `Use \`tieout close ${label}\``,
  });

const summaryOf = (outcomes: readonly MonthOutcome[]): string =>
  [...Map.groupBy(outcomes, wordOf)].map(([what, months]) => `${months.length} ${what}`).join(', ');

const wordOf = ({ kind, exitCode }: MonthOutcome): string =>
  kind === 'closed' && exitCode === ExitCode.open ? 'closed with something open' : kind;
