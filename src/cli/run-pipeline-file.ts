import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { PeriodReport } from '../close/figures/period-report.ts';
import type { ClosePorts } from '../close/stages/run/close-ports.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { problemTexts, schemaProblems } from '../kernel/schema-problems.ts';
import type { Pipeline } from '../runtime/pipeline.ts';
import { type CloseCommandOptions, portOptions } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { overEntities } from './over-entities.ts';
import { printOutcomes } from './print-outcomes.ts';
import { logged, watched } from './watched.ts';

type AnyPipeline = Pipeline<ClosePorts, unknown, unknown>;
type Ran = {
  readonly entity: string;
  readonly pipeline: string;
  readonly result: unknown;
  /** The periods that it closed and that have open items. */
  readonly open: readonly string[];
};

/** Runs the pipeline of a file for the selected entities, one after another. */
export const runPipelineFile = async (
  io: CommandIo,
  options: CloseCommandOptions,
  file: string,
  words: readonly string[],
): Promise<ExitCode> => {
  const pipeline = pipelineOf(file, await io.importFile(file));
  const params = paramsOf(pipeline, words);
  const period = String((params as { period?: unknown }).period ?? '');
  const outcomes = await watched(io, options, async (watch) =>
    overEntities<Ran>(
      await watch.configurations(period),
      ({ open }) => (open.length === 0 ? ExitCode.clean : ExitCode.open),
      ({ ...configuration }) => {
        const { entity } = configuration;
        const about = { entity, period };
        return logged(watch.log, about, () =>
          io.withClose(configuration, { ...portOptions(options), onWait: watch.waiting }, async (ports) => {
            const watching = watch.of(about.entity, about.period);
            const reports = new Map<string, PeriodReport>();
            const published = (report: PeriodReport) => reports.set(report.period.label, report);
            const result = await pipeline
              .run({ ...ports, ...watching, published }, params)
              .catch((error: unknown) => {
                throw isOwnFault(file, error) ? failed(file, error) : error;
              });
            const open = [...reports].filter(([, report]) => !report.readiness.ready).map(([label]) => label);
            return { entity, pipeline: pipeline.name, result, open };
          }),
        );
      },
    ),
  );
  return printOutcomes(io, options, outcomes, {
    about: {},
    figuresOf: (ran) => ran,
    textOf: (ran, isSeveral) => `${isSeveral ? `${ran.entity}\n` : ''}${textOf(ran)}`,
  });
};

/** Formats the result of a pipeline if it is text; figures are for `--json`. */
const textOf = ({ result, open }: Ran): string => {
  const said = typeof result === 'string' ? result.replace(/\n$/, '') : '';
  const lines = [said, ...open.map((period) => `!! ${period}: something is open, see its sheet Checks`)];
  return lines
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
};

/** Whether an error was thrown by the code of the file itself. */
const isOwnFault = (file: string, error: unknown): error is Error =>
  error instanceof Error &&
  !(error instanceof TieoutError) &&
  /^ +at .*$/m.exec(error.stack ?? '')?.[0].includes(pathToFileURL(resolve(file)).href) === true;

const failed = (file: string, error: Error): TieoutError =>
  new TieoutError({
    code: 'E_PIPELINE_FAILED',
    recovery: 'fix-input',
    message: `${file}: its own code failed: ${error.stack ?? error.message}`,
    nextStep: 'Correct the file; what the stages did before is kept',
    cause: error,
  });

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

const plainValue = (text: string): unknown => {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text === 'true' || (text === 'false' ? false : text);
};

const pipelineError = (message: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_PIPELINE', recovery: 'usage', message, nextStep });
