import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { closePlan } from '../../pipelines/close-plan.ts';
import { isOverBudget } from '../ask/plan-calculations.ts';
import { recheck } from '../core/recheck.ts';
import { ExitCode } from '../kernel/errors.ts';
import { stageRunner } from '../runtime/pipeline.ts';
import { proveWritable } from '../runtime/publish-folder.ts';
import { inputObject } from './close-summary.ts';
import { overPeriod, printOutcomes } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import { type CloseCommandOptions, periodOf, portOptions, usageError } from './options.ts';

type Rechecked = Awaited<ReturnType<typeof recheck>> & {
  readonly entity: string;
  readonly period: string;
  /** The folder of the books that were drawn again. */
  readonly into: string;
};

/** Draws a period of the selected entities again and compares it with what is published: 0 if every byte is the same, else 1. */
export const recheckEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  const { output, ...others } = options;
  const place = await emptyFolder(output);
  const outcomes = await overPeriod<Rechecked>(
    io,
    { ...others, period },
    recheckCode,
    ({ configuration, entity, watch }) => {
      const into = join(place, entity, period);
      return io.withClose(configuration, portOptions(others), async (ports) => {
        const run = stageRunner(watch);
        return { entity, period, into, ...(await recheck(run, ports, periodOf(period), into)) };
      });
    },
  );
  return printOutcomes(io, options, outcomes, { period, figuresOf: recheckFigures, textOf: recheckText });
};

const recheckCode = ({ differences }: Rechecked): ExitCode =>
  differences.length === 0 ? ExitCode.clean : ExitCode.open;

const recheckFigures = (rechecked: Rechecked): object => ({
  entity: rechecked.entity,
  period: rechecked.period,
  exit_code: recheckCode(rechecked),
  same: rechecked.differences.length === 0,
  folder: rechecked.into,
  files: rechecked.files,
  differences: rechecked.differences,
});

const recheckText = ({ period, differences, into }: Rechecked): string =>
  differences.length === 0
    ? `${period}: what is published is what a close draws today, byte for byte\n`
    : `${differences.map(({ path, what }) => `!! ${period}: ${path} ${what}\n`).join('')}What a close draws today is in ${into}\n`;

/** Returns the new folder that is named. @throws {TieoutError} E_USAGE, E_FOLDER_NOT_EMPTY */
const emptyFolder = async (output: string | undefined): Promise<string> => {
  if (output === undefined)
    throw usageError(
      '--recheck needs a folder to draw into',
      'Name a new one: `tieout close 2026-10 --recheck --output again`.',
    );
  const folder = resolve(output);
  await proveWritable(folder);
  if ((await readdir(folder)).length === 0) return folder;
  throw usageError(`${folder} is not empty`, 'Name a new folder with --output.', 'E_FOLDER_NOT_EMPTY');
};

type Planned = Awaited<ReturnType<typeof closePlan.run>> & {
  readonly entity: string;
  readonly period: string;
  /** `embedded`, or the address of the service that would calculate. */
  readonly service: string;
};

/** Shows what closing a period would request and send, for each selected entity; 1 if it exceeds the allowed number. */
export const planEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  const outcomes = await overPeriod<Planned>(
    io,
    { ...options, period },
    ({ calculations }) => (isOverBudget(calculations) ? ExitCode.open : ExitCode.clean),
    async ({ configuration, entity, watch, onWait }) => {
      const plan = await io.withClose(configuration, { ...portOptions(options), onWait }, async (ports) => ({
        service: ports.serviceName,
        ...(await closePlan.run({ ...ports, ...watch }, { period })),
      }));
      return { entity, period, ...plan };
    },
  );
  // The plans of the stages were already printed as they were counted.
  return printOutcomes(io, options, outcomes, {
    period,
    figuresOf: ({ inputs, gaps, ...plan }) => ({
      ...plan,
      rate_gaps: gaps,
      inputs: inputs.map(inputObject),
    }),
    textOf: () => '',
  });
};
