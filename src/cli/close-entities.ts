import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { chooseEntities, type LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { closingOf } from '../close/periods/closing.ts';
import { outdatedLabels } from '../close/periods/outdated-closings.ts';
import { unclosedMonths } from '../close/periods/unclosed-months.ts';
import type { NotedRun } from '../close/stages/noted-run.ts';
import { errorOf, lastRuns, newestRuns } from '../close/workspace/runs.ts';
import type { Workspace } from '../close/workspace/workspace.ts';
import { DefectError } from '../kernel/errors.ts';
import { type ExitCode, exitCodeOf, worstOf } from '../kernel/exit-code.ts';
import { type CloseCommandOptions, periodOf, portOptions } from './close-options.ts';
import { type Closed, closeFigures, closeLogFields, closeText, exitCodeOfClose } from './close-summary.ts';
import { endWord } from './end-words.ts';
import { entitiesText } from './entities-text.ts';
import type { CommandIo } from './io.ts';
import { type EntityOutcome, entitiesObject, isFailure, overEntities } from './over-entities.ts';
import { warnOfFailures } from './tell-outcomes.ts';
import { warnOfOutdated } from './warn-of-outdated.ts';
import { warnOfVoided } from './warn-of-voided.ts';
import { logged, type RunWatch, watched } from './watched.ts';

/** Close a period for the entities that are meant. Alone, one is told in full; of several, each in a few lines. */
export const closeEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  periodOf(period);
  const configurations = await chooseEntities(options.config, options.entity);
  return watched(io, { ...options, quiet: options.quiet === true || options.onlyNews === true }, (watch) => {
    const run: Run = { io, options, period, watch };
    return configurations.length === 1 ? closeOne(run, configurations) : closeSeveral(run, configurations);
  });
};

type Run = {
  readonly io: CommandIo;
  readonly options: CloseCommandOptions;
  readonly period: string;
  readonly watch: RunWatch;
};

/** `isTold` unless only news are wanted, and there are none. */
type ToldClose = Closed & { readonly isTold: boolean; readonly news: readonly string[] };

const close = (
  { io, options, period, watch }: Run,
  configuration: LoadedConfiguration,
  told: boolean,
): Promise<ToldClose> => {
  const { entity } = configuration;
  const startedMs = performance.now();
  const about = { entity, period };
  const closing = () =>
    io.withClose(
      configuration,
      { ...portOptions(options), run: noted(period), onWait: watch.waiting },
      async (ports) => {
        const before = options.onlyNews ? await standingOf(ports.workspace, period) : undefined;
        const done = await monthlyClose.run({ ...ports, ...watch.of(entity, period, told) }, { period });
        const unclosed = await unclosedMonths(ports.workspace, periodOf(period));
        const closed = { ...done, unclosed, seconds: (performance.now() - startedMs) / 1000 };
        const news = before ? newsSince(before, closed) : [];
        return { ...closed, news, isTold: before === undefined || news.length > 0 };
      },
    );
  return logged(watch.log, about, closing, closeLogFields);
};

const noted = (period: string): NotedRun => ({ pipeline: monthlyClose.name, period: periodOf(period) });

const closeOne = async (run: Run, configurations: readonly LoadedConfiguration[]): Promise<ExitCode> => {
  const { io, options, period } = run;
  const [configuration] = configurations;
  if (!configuration) throw new DefectError('no entity was chosen');
  const closed = await close(run, configuration, true).catch(async (error: unknown) => {
    if (!(await isOldNews(run, configuration, error))) throw error;
    return exitCodeOf(error);
  });
  if (typeof closed === 'number') return closed;
  if (options.json) io.print(`${JSON.stringify(closeFigures(closed), null, 2)}\n`);
  else if (closed.isTold && !options.quiet)
    io.print(`${newsText(closed)}${closeText(closed, io.isTerminal, io.paint)}`);
  warnOfVoided(io, period, closed.written.voided);
  if (closed.isTold) warnOfOutdated(io, closed.outdated);
  return exitCodeOfClose(closed);
};

const closeSeveral = async (run: Run, configurations: readonly LoadedConfiguration[]): Promise<ExitCode> => {
  const { io, options, period } = run;
  const outcomes = await overEntities<ToldClose>(configurations, exitCodeOfClose, async (configuration) => {
    if (io.isTerminal && !options.json && !options.quiet && !options.onlyNews)
      io.warn(`${configuration.entity} ${period}\n`);
    // A mail of several entities has a few lines for each: their stages are for those who watch.
    return close(run, configuration, io.isTerminal);
  });
  const code = worstOf(outcomes.map((outcome) => outcome.code));
  warnOfFailures(io, await newsOf(run, configurations, outcomes));
  const isTold = !options.onlyNews || outcomes.some((outcome) => !isFailure(outcome) && outcome.value.isTold);
  if (options.json)
    io.print(`${JSON.stringify({ period, ...entitiesObject(outcomes, code, closeFigures) }, null, 2)}\n`);
  else if (isTold && !options.quiet) {
    const news = outcomes.map((outcome) =>
      isFailure(outcome) ? '' : newsText(outcome.value, `${outcome.entity}: `),
    );
    io.print(`${news.join('')}${entitiesText(outcomes, period, code)}`);
  }
  for (const outcome of outcomes) {
    if (isFailure(outcome)) continue;
    warnOfVoided(io, period, outcome.value.written.voided, outcome.entity);
    if (isTold) warnOfOutdated(io, outcome.value.outdated, outcome.entity);
  }
  return code;
};

/** Whether only news are wanted, and the run before this one was stopped by the same. */
const isOldNews = async (
  { io, options, period }: Run,
  configuration: LoadedConfiguration,
  error: unknown,
): Promise<boolean> => {
  if (!options.onlyNews || options.json) return false;
  try {
    const runs = await io.withWorkspace(configuration, (workspace) => newestRuns(workspace, 2, period));
    return runs.length === 2 && runs.every((noted) => errorOf(noted)?.message === messageOf(error));
  } catch {
    // A workspace that cannot be read is news.
    return false;
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The outcomes without the failures that have been told. */
const newsOf = async (
  run: Run,
  configurations: readonly LoadedConfiguration[],
  outcomes: readonly EntityOutcome<ToldClose>[],
): Promise<readonly EntityOutcome<ToldClose>[]> => {
  const news: EntityOutcome<ToldClose>[] = [];
  for (const outcome of outcomes) {
    const configuration = configurations.find(({ entity }) => entity === outcome.entity);
    const isTold =
      isFailure(outcome) && configuration && (await isOldNews(run, configuration, outcome.error));
    if (!isTold) news.push(outcome);
  }
  return news;
};

/** How the last run of a period ended, `null` for one that was killed or none at all, and what is published of it. */
export type Standing = {
  readonly exitCode: number | null;
  readonly contentDigest: string;
  /** Other periods that are out of date. */
  readonly outdated: ReadonlySet<string>;
};

const standingOf = async (workspace: Workspace, period: string): Promise<Standing> => ({
  exitCode: (await lastRuns(workspace)).find((run) => run.period === period)?.exitCode ?? null,
  contentDigest: (await closingOf(workspace, period))?.report.signOff.contentDigest ?? '',
  outdated: await outdatedLabels(workspace),
});

/** What a close has that the run before it had not: another end, another content, or one more period out of date. */
const newsSince = ({ exitCode, contentDigest, outdated }: Standing, closed: Closed): readonly string[] => {
  const code = exitCodeOfClose(closed);
  const { report } = closed.written;
  const more = closed.outdated.filter((label) => !outdated.has(label));
  return [
    ...(exitCode === code ? [] : [`${endWords(code)}; ${beforeWords(exitCode)}`]),
    ...(contentDigest === report.signOff.contentDigest || contentDigest === ''
      ? []
      : ['the books have changed']),
    ...(more.length === 0 ? [] : [`out of date: ${more.join(', ')}`]),
  ];
};

const endWords = (code: number): string => endWord(code) ?? `exit code ${code}`;

const beforeWords = (code: number | null): string =>
  code === null ? 'the first run that came to an end' : `the run before: ${endWords(code)}`;

const newsText = ({ news }: ToldClose, entity = ''): string =>
  news.length === 0 ? '' : `${entity}new since the last run: ${news.join('; ')}\n`;
