import { Command, Option } from 'commander';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { outputOf } from '../close/configuration/output-of.ts';
import { isAmountKnown, paymentsIn } from '../close/figures/pay-list.ts';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { nextVersion } from '../core/lock.ts';
import { lockPlaceOf, takeLocks } from '../core/locked.ts';
import { DefectError, designedError, type ExitCode, exitCodeOf, worstOf } from '../kernel/errors.ts';
import { subtract, sum, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import { readFilings } from '../periods/filings.ts';
import { countingPeriods, publishedPeriods } from '../periods/folders.ts';
import { type NotedStart, runsOf } from '../periods/runs.ts';
import { unclosedMonths, unclosedReturns } from '../periods/unclosed.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { runningPeriod } from '../run/period-folder.ts';
import {
  type Closed,
  closeFigures,
  closeLogFields,
  closeText,
  entitiesText,
  exitCodeOfClose,
} from './close-summary.ts';
import {
  type EntityOutcome,
  entitiesObject,
  isFailure,
  logged,
  overEntities,
  type RunWatch,
  warnOfFailures,
  watched,
} from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import {
  forgetError,
  lastSummaryOf,
  type News,
  type NotedError,
  newsSince,
  newsText,
  notedError,
  noteError,
  sinceLines,
} from './news.ts';
import {
  type CloseCommandOptions,
  commandOptions,
  periodOf,
  portOptions,
  wholeNumber,
  withBudget,
  withEntities,
  withLog,
} from './options.ts';
import { warnOfOutdated } from './readiness-lines.ts';
import { type DatedReturn, datedReturns, isUnfiled, unclosedReturnLines } from './status-returns.ts';

const ITEMS_MAX = 1_000;
const SECONDS_MAX = 86_400;

/** Builds `tieout close 2026-10`: the command that a cron job runs on the second of each month. */
export const closeCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withBudget(withEntities(new Command('close'))))
    .argument('<period>', 'a month such as 2026-10, or 2026-Q4, 2026-H2, 2026, or 2026-10..2026-12')
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .addOption(
      new Option('--plan', 'show what the close would calculate, send and cost, and do nothing').conflicts(
        'onlyNews',
      ),
    )
    .addOption(
      new Option(
        '--amend',
        'write the next amended version of a locked period, with the late items that are to be amended',
      ).conflicts('plan'),
    )
    .addOption(
      new Option(
        '--recheck',
        'draw a period again into the new folder --output as if it were not locked, and name what differs',
      ).conflicts(['plan', 'amend', 'onlyNews', 'workers']),
    )
    .option('--recompute', 'calculate again what is already known')
    .option(
      '--working-papers',
      'write working-papers.xlsx as well: a sample of Detail for an auditor’s tests',
    )
    .option('--no-working-papers', 'leave them out again')
    .addOption(
      new Option('--workers <where>', 'share the work with `tieout worker` processes').choices(['queue']),
    )
    .option(
      '--lost-after <seconds>',
      'give the batch of a worker that is silent for so long to another (15)',
      wholeNumber(SECONDS_MAX, 10),
    )
    .option(
      '--patience <seconds>',
      'give up if no worker picks up a batch within this time (300)',
      wholeNumber(SECONDS_MAX),
    )
    .option('--batch-items <number>', 'put this many sales in a batch (500)', wholeNumber(ITEMS_MAX, 1))
    .option('-q, --quiet', 'print only errors')
    .option('--only-news', 'print the summary only if it differs from the last run’s')
    .action(async (period: string, options: Options) => {
      const work = await workOf(options);
      exit(await work(io, options, period));
    });

type Options = CloseCommandOptions & { readonly plan?: boolean; readonly recheck?: boolean };

const workOf = async ({ plan, recheck }: Options) => {
  if (plan) return (await import('./plan-entities.ts')).planEntities;
  if (recheck) return (await import('./recheck-entities.ts')).recheckEntities;
  return closeEntities;
};

/** Closes a period for the selected entities. A single entity gets a full report, several get a few lines each. */
export const closeEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  periodOf(period);
  const quiet = options.quiet === true || options.onlyNews === true;
  return watched(io, { ...options, quiet }, async (watch) => {
    const noted = await notedError(options.config);
    const run: Run = { io, options, period, watch, noted };
    const configurations = await watch.configurations(period).catch((error: unknown) => {
      if (isNewsOnly(run) && noted?.message === messageOf(error)) return exitCodeOf(error);
      return noteError(options.config, error, io.clock.now()).then(() => Promise.reject(error));
    });
    if (typeof configurations === 'number') return configurations;
    await forgetError(options.config);
    return configurations.length === 1 ? closeOne(run, configurations) : closeSeveral(run, configurations);
  });
};

type Run = {
  readonly io: CommandIo;
  readonly options: CloseCommandOptions;
  readonly period: string;
  readonly watch: RunWatch;
  /** The error of the configuration at the last attempt, if it could not be read. */
  readonly noted: NotedError | undefined;
};

const isNewsOnly = ({ options }: Run): boolean => options.onlyNews === true && !options.json;

/** A finished close. `isPrinted` is false only with `--only-news` and without news. */
type PrintedClose = Closed & { readonly isPrinted: boolean; readonly news: News };

const close = async (
  { io, options, period: wanted, watch, noted: corrected }: Run,
  configuration: LoadedConfiguration,
  told: boolean,
): Promise<PrintedClose> => {
  const { entity } = configuration;
  const place = { configuration, output: outputOf(configuration, options.output) };
  const period = options.amend ? await nextVersion(place, periodOf(wanted)) : wanted;
  const startedMs = performance.now();
  const about = { entity, period };
  const closing = () =>
    io.withClose(
      configuration,
      { ...portOptions(options), run: noted(period), onWait: watch.waiting },
      async (ports) => {
        const asked = periodOf(period);
        const before = await lastSummaryOf(ports, asked, await aroundOf(ports));
        const done = await monthlyClose.run({ ...ports, ...watch.of(entity, period, told) }, { period });
        const { report } = done.written;
        const { published, locks } = await aroundOf(ports);
        const closed = await countingPeriods(published);
        const months = unclosedMonths(closed.map((each) => each.period));
        const further = commandOptions(options);
        const today = zoneCalendar(configuration.timeZone).dateAt(io.clock.now());
        const returns = datedReturns(report, configuration.registrations, {
          today,
          filings: await readFilings(configuration.resolvePath('.'), entity),
          isLocked: locks.versions.some(({ name }) => name === report.period.label),
        });
        const result = {
          ...{ ...done, options: further },
          unclosed: months.filter(({ last }) => last < asked.first).map(({ label }) => label),
          // The news start with these changes already.
          since: options.onlyNews ? [] : sinceLines(before, report),
          due: [
            ...dueLine(report, returns, further),
            ...unclosedReturnLines(unclosedReturns(closed, configuration.registrations, today), today),
          ],
          isPreliminary: runningPeriod(ports, report.period) !== undefined,
          seconds: (performance.now() - startedMs) / 1000,
        };
        const news = options.onlyNews ? newsSince(before, result, corrected) : NO_NEWS;
        return { ...result, news, isPrinted: !options.onlyNews || news.changes.length > 0 };
      },
    );
  return logged(watch.log, about, closing, closeLogFields);
};

/** Returns the locks, the folders and the runs of the entity of a close. */
const aroundOf = async (ports: ClosePorts) => {
  const locks = await takeLocks(ports);
  const { output, entity } = lockPlaceOf(ports);
  const names = new Set(locks.versions.map(({ name }) => name));
  const published = await publishedPeriods(output, names);
  return { locks, published, runs: await runsOf(ports.state ?? '', entity) };
};

const NO_NEWS: News = { changes: [], gone: [] };

const noted = (period: string): NotedStart => ({
  pipeline: monthlyClose.name,
  periods: [periodOf(period)],
});

const closeOne = async (run: Run, configurations: readonly LoadedConfiguration[]): Promise<ExitCode> => {
  const { io, options } = run;
  const [configuration] = configurations;
  if (!configuration) throw new DefectError('no entity was chosen');
  const closed = await close(run, configuration, true).catch(async (error: unknown) => {
    if (await isOldNews(run, configuration, error)) return exitCodeOf(error);
    warnOfCorrected(run);
    throw error;
  });
  if (typeof closed === 'number') return closed;
  if (options.json) io.print(`${JSON.stringify(closeFigures(closed), null, 2)}\n`);
  else if (!options.quiet)
    io.print(
      `${newsText(closed.news, closed)}${closed.isPrinted ? closeText(closed, io.isTerminal, io.paint) : ''}`,
    );
  if (closed.isPrinted) warnOfOutdated(io, closed.outdated);
  return exitCodeOfClose(closed);
};

const closeSeveral = async (run: Run, configurations: readonly LoadedConfiguration[]): Promise<ExitCode> => {
  const { io, options, period } = run;
  const outcomes = await overEntities<PrintedClose>(
    configurations,
    exitCodeOfClose,
    async (configuration) => {
      if (io.isTerminal && !options.json && !options.quiet && !options.onlyNews)
        io.warn(`${configuration.entity} ${period}\n`);
      // Several entities get only a few lines each in a mail, so their stages are shown only on a terminal.
      return close(run, configuration, io.isTerminal);
    },
  );
  const code = worstOf(outcomes.map((outcome) => outcome.code));
  const told = await newsOf(run, configurations, outcomes);
  if (told.some(isFailure)) warnOfCorrected(run);
  warnOfFailures(io, told, period);
  const isPrinted =
    !options.onlyNews || outcomes.some((outcome) => !isFailure(outcome) && outcome.value.isPrinted);
  if (options.json)
    io.print(`${JSON.stringify({ period, ...entitiesObject(outcomes, code, closeFigures) }, null, 2)}\n`);
  else if (!options.quiet) {
    const news = outcomes.map((outcome) =>
      isFailure(outcome) ? '' : newsText(outcome.value.news, outcome.value),
    );
    io.print(`${news.join('')}${isPrinted ? entitiesText(outcomes, period, code) : ''}`);
  }
  for (const outcome of outcomes) {
    if (isFailure(outcome)) continue;
    if (isPrinted) warnOfOutdated(io, outcome.value.outdated, outcome.entity);
  }
  return code;
};

/** Whether only news are requested and the previous run stopped with the same error. */
const isOldNews = async (
  run: Run,
  { entity, resolvePath }: LoadedConfiguration,
  error: unknown,
): Promise<boolean> => {
  // The last printed error was that of the configuration.
  if (!isNewsOnly(run) || run.noted) return false;
  const runs = await runsOf(resolvePath('.tieout'), entity);
  const last = runs.filter(({ period }) => period === run.period).slice(-2);
  return last.length === 2 && last.every((each) => each.error?.message === messageOf(error));
};

/** Prints that the error of the configuration is gone, before the remaining error. */
const warnOfCorrected = (run: Run): void => {
  if (isNewsOnly(run) && run.noted) run.io.warn(`${run.noted.code} is gone; still stopped: `);
};

/** Returns the message of an error as the record of its run has it. */
const messageOf = (error: unknown): string =>
  designedError(error)?.message ?? (error instanceof Error ? error.message : String(error));

/** Returns the outcomes without failures that were already reported. */
const newsOf = async (
  run: Run,
  configurations: readonly LoadedConfiguration[],
  outcomes: readonly EntityOutcome<PrintedClose>[],
): Promise<readonly EntityOutcome<PrintedClose>[]> => {
  const news: EntityOutcome<PrintedClose>[] = [];
  for (const outcome of outcomes) {
    const configuration = configurations.find(({ entity }) => entity === outcome.entity);
    const isPrinted =
      isFailure(outcome) && configuration && (await isOldNews(run, configuration, outcome.error));
    if (!isPrinted) news.push(outcome);
  }
  return news;
};

/** Describes the amount due for a closed period and its first due date; empty if no return is to be filed. */
const dueLine = (
  report: PeriodReport,
  returns: readonly DatedReturn[],
  options: string,
): readonly string[] => {
  const due = returns.filter(isUnfiled);
  const apart = returns.filter((row) => !isAmountKnown(row)).map(({ key }) => key);
  const owed = paymentsIn(due);
  // Without a payment, the first return to file.
  const first = owed[0] ?? due[0];
  if (!first) return [];
  const overdue = due.filter(({ isLate }) => isLate).length;
  const unknown = due.filter(({ mayBeLate }) => mayBeLate).map(({ key }) => key);
  const lost = sum(owed.map((row) => subtract(row.lost, row.lostOfBalance)));
  const all = sum(owed.map(({ amount }) => amount));
  return [
    [
      `due${report.madeEarly === undefined ? '' : ' so far'}: ${shownNumber(due.length, 'return')}, ${shownMoney(subtract(all, lost))} in all`,
      `first ${first.key} by ${first.payBy}`,
      ...(overdue > 0
        ? [
            `${overdue} overdue${lost === ZERO ? '' : `, so ${shownMoney(all)} to pay now: ${shownMoney(lost)} of discounts lost`}`,
          ]
        : []),
      ...(unknown.length > 0 ? [`${unknown.join(', ')} may be overdue: not verified when due`] : []),
      ...(apart.length > 0 ? [`${apart.join(', ')} from a close of another period`] : []),
      `\`tieout status ${report.period.label}${options}\` lists them`,
    ].join('; '),
  ];
};
