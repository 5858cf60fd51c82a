import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { auditPack } from '../../pipelines/audit-pack.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { proveWritable } from '../runtime/publish-folder.ts';
import { type CloseCommandOptions, periodOf, portOptions } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { overPeriod } from './over-entities.ts';
import { printOutcomes } from './print-outcomes.ts';

export type AuditOptions = CloseCommandOptions & { readonly into?: string };

type Audited = Awaited<ReturnType<typeof auditPack.run>> & {
  readonly entity: string;
  readonly period: string;
};

/** Rebuilds and compares a period of the selected entities: 0 if every byte is the same, otherwise 1. */
export const auditEntities = async (
  io: CommandIo,
  options: AuditOptions,
  period: string,
): Promise<ExitCode> => {
  periodOf(period);
  const outcomes = await overPeriod<Audited>(
    io,
    { ...options, period },
    codeOf,
    ({ configuration, entity, isSeveral, watch }) =>
      withFolder(
        options.into === undefined ? undefined : join(options.into, isSeveral ? entity : ''),
        (into) =>
          io.withClose(configuration, portOptions(options), async (ports) => {
            const audited = await auditPack.run({ ...ports, ...watch.of(entity, period) }, { period, into });
            return { entity, period, ...audited };
          }),
      ),
  );
  return printOutcomes(io, options, outcomes, { about: { period }, figuresOf, textOf });
};

const codeOf = ({ differences }: Audited): ExitCode =>
  differences.length === 0 ? ExitCode.clean : ExitCode.open;

const figuresOf = (audited: Audited): object => ({
  entity: audited.entity,
  period: audited.period,
  exit_code: codeOf(audited),
  same: audited.differences.length === 0,
  files: audited.files,
  differences: audited.differences,
});

const textOf = ({ period, differences }: Audited): string => {
  const [first, ...others] = differences;
  if (!first) return `${period}: what is published is what the workspace says, byte for byte\n`;
  const more = others.length > 0 ? `, and ${others.length} more files` : '';
  return `!! ${period}: ${first.path} ${first.what}${more}\n`;
};

/** Runs work in an empty folder: the requested one, or a temporary one that is removed afterwards. */
const withFolder = async <Result>(
  wanted: string | undefined,
  work: (folder: string) => Promise<Result>,
): Promise<Result> => {
  if (wanted !== undefined) {
    const folder = resolve(wanted);
    await proveWritable(folder);
    if ((await readdir(folder)).length > 0) throw notEmpty(folder);
    return work(folder);
  }
  const folder = await mkdtemp(join(tmpdir(), 'tieout-audit-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const notEmpty = (folder: string): TieoutError =>
  new TieoutError({
    code: 'E_FOLDER_NOT_EMPTY',
    message: `${folder} is not empty`,
    nextStep: 'Name a new folder with --into',
  });
