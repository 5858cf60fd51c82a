import { readFile } from 'node:fs/promises';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { outputOf } from '../close/configuration/output-of.ts';
import { placedDocument } from '../close/configuration/yaml-lines.ts';
import { isAmountKnown, isPayable, paymentsIn } from '../close/figures/pay-list.ts';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { unclosedMonths } from '../close/periods/unclosed-months.ts';
import { unclosedReturns } from '../close/periods/unclosed-returns.ts';
import { type UnusedDecision, unusedDecisions } from '../close/periods/unused-decisions.ts';
import type { NotedStart } from '../close/stages/run/record-run.ts';
import { runningPeriod } from '../close/stages/run/running-period.ts';
import { allLocks } from '../close/workspace/locks.ts';
import { errorOf, newestRuns } from '../close/workspace/runs.ts';
import { takeLocks } from '../core/locked.ts';
import { nextVersion } from '../core/versions.ts';
import { type CalendarDate, zoneCalendar } from '../kernel/calendar.ts';
import { designedError } from '../kernel/disk-failure.ts';
import { DefectError } from '../kernel/errors.ts';
import { type ExitCode, exitCodeOf, worstOf } from '../kernel/exit-code.ts';
import { formatMoney, subtract, sum, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/shown-figures.ts';
import { type CloseCommandOptions, commandOptions, periodOf, portOptions } from './close-options.ts';
import { type Closed, closeFigures, closeLogFields, closeText, exitCodeOfClose } from './close-summary.ts';
import { entitiesText } from './entities-text.ts';
import type { CommandIo } from './io.ts';
import { lastCloseOf, lastSummaryOf, type News, newsSince, newsText, sinceLines } from './news.ts';
import { forgetError, type NotedError, notedError, noteError } from './noted-error.ts';
import { type EntityOutcome, entitiesObject, isFailure, overEntities } from './over-entities.ts';
import { warnOfFailures } from './print-outcomes.ts';
import { datedReturns } from './status-returns.ts';
import { unclosedReturnLines } from './status-unclosed.ts';
import { warnOfLost } from './warn-of-lost.ts';
import { warnOfOutdated } from './warn-of-outdated.ts';
import { warnOfVoided } from './warn-of-voided.ts';
import { logged, type RunWatch, watched } from './watched.ts';

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
        const isOfDays = ports.state !== undefined;
        const before = isOfDays
          ? await lastCloseOf(ports, periodOf(period))
          : await lastSummaryOf(ports.workspace, configuration, {
              period,
              isNewsOnly: options.onlyNews === true,
            });
        const done = await monthlyClose.run({ ...ports, ...watch.of(entity, period, told) }, { period });
        const unclosed = isOfDays ? [] : await unclosedMonths(ports.workspace, periodOf(period));
        const { report } = done.written;
        const locks = isOfDays
          ? (await takeLocks(ports)).versions.map(({ name: label }) => ({ label }))
          : await allLocks(ports.workspace);
        const isLocked = locks.some(({ label }) => label === report.period.label);
        const further = commandOptions(options);
        const today = zoneCalendar(configuration.timeZone).dateAt(io.clock.now());
        const closed = {
          ...{ ...done, unclosed, options: further },
          unused: isOfDays
            ? []
            : await unusedLines(await unusedDecisions(ports.workspace, configuration), configuration),
          // The news start with these changes already.
          since: options.onlyNews ? [] : sinceLines(before, report),
          due: [
            ...(isLocked ? [] : dueLine(report, configuration, { today, options: further })),
            ...unclosedReturnLines(
              isOfDays ? [] : await unclosedReturns(ports.workspace, configuration.registrations, today),
              today,
            ),
          ],
          isPreliminary: runningPeriod(ports, report.period) !== undefined,
          seconds: (performance.now() - startedMs) / 1000,
        };
        const news = options.onlyNews ? newsSince(before, closed, corrected) : NO_NEWS;
        return { ...closed, news, isPrinted: !options.onlyNews || news.changes.length > 0 };
      },
    );
  return logged(watch.log, about, closing, closeLogFields);
};

const NO_NEWS: News = { changes: [], gone: [] };

const noted = (period: string): NotedStart => ({
  pipeline: monthlyClose.name,
  periods: async () => [periodOf(period)],
});

const closeOne = async (run: Run, configurations: readonly LoadedConfiguration[]): Promise<ExitCode> => {
  const { io, options, period } = run;
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
  warnOfVoided(io, period, closed.written.voided);
  warnOfLost(io, period, closed.readBack);
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
    warnOfVoided(io, `${outcome.entity} ${period}`, outcome.value.written.voided);
    warnOfLost(io, `${outcome.entity} ${period}`, outcome.value.readBack);
    if (isPrinted) warnOfOutdated(io, outcome.value.outdated, outcome.entity);
  }
  return code;
};

/** Whether only news are requested and the previous run stopped with the same error. */
const isOldNews = async (run: Run, configuration: LoadedConfiguration, error: unknown): Promise<boolean> => {
  const { io, period, noted: corrected } = run;
  // The last printed error was that of the configuration.
  if (!isNewsOnly(run) || corrected) return false;
  try {
    const runs = await io.withWorkspace(configuration, (workspace) => newestRuns(workspace, 2, period));
    return runs.length === 2 && runs.every((noted) => errorOf(noted)?.message === messageOf(error));
  } catch {
    // An unreadable workspace counts as news.
    return false;
  }
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

/** Describes the amount due for a closed period and its first due date; empty if no return is due yet. */
const dueLine = (
  report: PeriodReport,
  { registrations }: Pick<LoadedConfiguration, 'registrations'>,
  { today, options }: { readonly today: CalendarDate; readonly options: string },
): readonly string[] => {
  const returns = datedReturns(report, registrations, today);
  const due = returns.filter(isPayable);
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

/** Returns a line for each configured decision that matches nothing, with its position in the file. */
const unusedLines = async (
  decisions: readonly UnusedDecision[],
  { file, entity }: Pick<LoadedConfiguration, 'file' | 'entity'>,
): Promise<readonly string[]> => {
  if (decisions.length === 0) return [];
  const { document, lineOf } = placedDocument(await readFile(file, 'utf8'));
  const { entities = [] } = document.toJS() as { readonly entities?: readonly { readonly entity: string }[] };
  const own = ['entities', entities.findIndex((one) => one.entity === entity)];
  return decisions.map((decision) => {
    const [, key = '', index = ''] = /^(.*)\[(\d+)\]$/.exec(decision.place) ?? [];
    const path = [...key.split('.'), Number(index)];
    const line = lineOf(document.hasIn([...own, ...path]) ? [...own, ...path] : path);
    return `${file}:${line}: \`${key}\` has ${unusedText(decision)}`;
  });
};

/** Describes what an unused decision looked for, what the closed periods contain instead, and how to correct it. */
const unusedText = ({ records, code, verdict, tax, found, lacking }: UnusedDecision): string => {
  const record = records.join(', ');
  const isTax = verdict === 'set-by-hand';
  const what = isTax ? `${record} with tax ${shownMoney(tax ?? ZERO)}` : `${record} with code ${code}`;
  const other = isTax ? found.find((one) => one.code === code && one.tax !== undefined) : undefined;
  if (other?.tax !== undefined)
    return `${what}, and the shop charged ${shownMoney(other.tax)}: an override takes the tax that was charged; write tax: "${formatMoney(other.tax)}", or remove it`;
  if (lacking.length > 0)
    return `${what}, which fits nothing in the exports as they are: ${lacking.join(', ')} may lack records; keep it until the files are whole`;
  const codes = [...new Set(found.map((one) => one.code))].join(', ');
  if (!isTax && codes !== '')
    return `${what}, and the periods closed so far have it with ${codes}: correct the code, or remove it`;
  return `${what}, which fits nothing: no period closed so far has ${isTax ? 'a variance of it that nothing explains' : 'such an exception'}; correct it, or remove it if the exports are whole`;
};
