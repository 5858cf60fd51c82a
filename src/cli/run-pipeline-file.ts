import * as z from 'zod';
import { openPeriodsWithin } from '../close/periods/open-closings.ts';
import type { ClosePorts, PeriodOutcome } from '../close/stages/run/close-ports.ts';
import {
  type NotedStart,
  type OutdatedPeriod,
  outdatedPeriods,
  recordFailedStart,
} from '../close/stages/run/record-run.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode, exitCodeOf, worstOf } from '../kernel/exit-code.ts';
import { type FilingPeriod, parsePeriod } from '../kernel/period.ts';
import { problemTexts, schemaProblems } from '../kernel/schema-problems.ts';
import type { Pipeline } from '../runtime/pipeline.ts';
import { type CloseCommandOptions, portOptions } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { isFailure, overEntities } from './over-entities.ts';
import { pipelineFaults } from './pipeline-faults.ts';
import { errorObject, errorText } from './print-error.ts';
import { printOutcomes } from './print-outcomes.ts';
import { warnOfOutdated } from './warn-of-outdated.ts';
import { logged, watched } from './watched.ts';

type AnyPipeline = Pipeline<ClosePorts, unknown, unknown>;
type Ran = {
  readonly entity: string;
  readonly pipeline: string;
  readonly result: unknown;
  readonly ended: ReadonlyMap<string, PeriodOutcome>;
  /** Other closed periods that are out of date now. */
  readonly outdated: readonly OutdatedPeriod[];
};

/** Runs the pipeline of a file for the selected entities, one after another. */
export const runPipelineFile = async (
  io: CommandIo,
  options: CloseCommandOptions,
  file: string,
  words: readonly string[],
): Promise<ExitCode> => {
  const pipeline = pipelineOf(file, await io.importFile(file));
  const toldAs = await pipelineFaults({ file, name: pipeline.name, program: io.folder });
  const params = paramsTold(pipeline, words, toldAs);
  const period = String((params as { period?: unknown }).period ?? '');
  const start = startOf(pipeline, period);
  const outcomes = await watched(io, options, async (watch) =>
    overEntities<Ran>(
      await watch.configurations(period),
      ({ ended }) => worstOf([...ended.values()].map(({ exitCode }) => exitCode)),
      ({ ...configuration }) => {
        const { entity } = configuration;
        const about = { entity, period };
        return logged(watch.log, about, () =>
          io.withClose(
            configuration,
            { ...portOptions(options), run: start, onWait: watch.waiting },
            async (ports) => {
              const ended = new Map<string, PeriodOutcome>();
              const watching = {
                ...watch.of(about.entity, about.period),
                reportedAs: toldAs,
                ended: ({ label }: FilingPeriod, outcome: PeriodOutcome) =>
                  ended.set(label, outcomeTold(outcome, toldAs)),
              };
              let result: unknown;
              try {
                result = await pipeline.run({ ...ports, ...watching }, params);
              } catch (error) {
                const told = toldAs(error);
                if (ended.size === 0) await recordFailedStart(ports, start, told);
                throw told;
              }
              return {
                entity,
                pipeline: pipeline.name,
                result,
                ended,
                outdated: await outdatedPeriods(ports),
              };
            },
          ),
        );
      },
    ),
  );
  const code = printOutcomes(io, options, outcomes, {
    about: {},
    figuresOf,
    textOf: (ran, isSeveral) => `${isSeveral ? `${ran.entity}\n` : ''}${textOf(ran)}`,
  });
  for (const outcome of outcomes) {
    if (isFailure(outcome)) continue;
    const { entity, ended, outdated } = outcome.value;
    if (!options.json)
      for (const [period, { error }] of ended)
        if (error !== undefined) io.warn(`${entity} ${period}: ${errorText(error)}`);
    warnOfOutdated(io, outdated, outcomes.length > 1 ? entity : undefined);
  }
  return code;
};

/** Returns the result as JSON, with the periods that the run left open or stopped at. */
const figuresOf = ({ entity, pipeline, result, ended, outdated }: Ran): object => ({
  ...{ entity, pipeline, result, open: openOf(ended) },
  stopped: [...ended].flatMap(([period, { error }]) =>
    error === undefined ? [] : [{ period, ...errorObject(error) }],
  ),
  outdated: outdated.map(({ label }) => label),
});

const openOf = (ended: Ran['ended']): readonly string[] =>
  [...ended].filter(([, { exitCode }]) => exitCode === ExitCode.open).map(([period]) => period);

/** Returns what a failed start of a pipeline leaves out of date: the periods that were closed before and can still be filed. */
const startOf = ({ name }: AnyPipeline, text: string): NotedStart => ({
  pipeline: name,
  periods: async (workspace) => {
    const period = parsePeriod(text);
    return period ? openPeriodsWithin(workspace, period) : [];
  },
});

/** Formats the result of a pipeline if it is text; figures are for `--json`. */
const textOf = ({ result, ended }: Ran): string => {
  const said = typeof result === 'string' ? result.replace(/\n$/, '') : '';
  const stopped = [...ended].filter(([, { error }]) => error !== undefined);
  const lines = [
    said,
    ...openOf(ended).map((period) => `!! ${period}: something is open, see its sheet Checks`),
    ...stopped.map(([period, { exitCode }]) => `!! ${period}: stopped with ${exitCode}`),
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
};

type ToldAs = (error: unknown) => unknown;

const outcomeTold = (outcome: PeriodOutcome, toldAs: ToldAs): PeriodOutcome => {
  if (outcome.error === undefined) return outcome;
  const error = toldAs(outcome.error);
  return { exitCode: exitCodeOf(error), error };
};

const isPipeline = (value: unknown): value is AnyPipeline => {
  const { name, params, run } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === 'string' && params instanceof z.ZodType && typeof run === 'function';
};

const pipelineOf = (file: string, module: Readonly<Record<string, unknown>>): AnyPipeline => {
  if (isPipeline(module['default'])) return module['default'];
  const [pipeline, ...others] = [...new Set(Object.values(module).filter(isPipeline))];
  if (pipeline && others.length === 0) return pipeline;
  throw pipelineError(
    `${file}: ${pipeline ? 'it exports several pipelines, and none by default' : 'it exports no pipeline'}`,
    'Export one that is made with definePipeline from `tieout`, by default when there are several',
  );
};

/** Parses the parameters by name: as text, or as numbers and booleans if the schema requires them. */
const paramsOf = (pipeline: AnyPipeline, words: readonly string[]): object => {
  const named = words.map((word): [string, string] => {
    const [, name = 'period', value = word] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    return [name, value];
  });
  const given = Object.fromEntries(named);
  const twice = named.find(([name], index) => named.findIndex(([other]) => other === name) < index);
  if (twice)
    throw pipelineError(`${twice[0]} is given twice, the second time as "${twice[1]}"`, 'Give it once');
  const first = pipeline.params.safeParse(given);
  if (first.success) return given;
  const otherwise = new Set(first.error.issues.map(({ path }) => String(path[0])));
  const params = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, otherwise.has(name) ? plainValue(value) : value]),
  );
  const second = pipeline.params.safeParse(params);
  if (second.success) return params;
  const problems = problemTexts(schemaProblems(pipeline.params, second.error.issues), 'the parameters');
  throw pipelineError(`${pipeline.name} cannot run: ${problems.join('; ')}`, 'Give parameters as name=value');
};

/** Does the same, and tells an error of code in the schema as one of the pipeline. */
const paramsTold = (pipeline: AnyPipeline, words: readonly string[], toldAs: ToldAs): object => {
  try {
    return paramsOf(pipeline, words);
  } catch (error) {
    throw toldAs(error);
  }
};

const plainValue = (text: string): unknown => {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text === 'true' || (text === 'false' ? false : text);
};

const pipelineError = (message: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_PIPELINE', recovery: 'usage', message, nextStep });
