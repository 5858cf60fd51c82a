import { type Command, InvalidArgumentError } from 'commander';
import type { CloseOptions } from '../app/build-close.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import { type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { type Progress, plainProgress, silentProgress, terminalProgress } from '../runtime/pipeline.ts';
import type { CommandIo } from './io.ts';

/** Options that select a configuration, one of its entities, and the output format. */
export type EntityOptions = {
  readonly config: string;
  readonly entity?: string;
  readonly json?: boolean;
};

/** Options of every command that works with the sales of entities. */
export type CloseCommandOptions = EntityOptions & {
  readonly output?: string;
  readonly content?: string;
  readonly quiet?: boolean;
  readonly onlyNews?: boolean;
  readonly amend?: boolean;
  readonly workingPapers?: boolean;
  readonly maxCalculations?: number;
  readonly workers?: 'queue';
};

/** Returns the options for building a close. */
export const portOptions = ({ workers, ...options }: CloseCommandOptions): CloseOptions => ({
  ...options,
  workers: workers && HANDING_OUT,
});

/**
 * How work is handed out to workers. A batch is some seconds of work: large enough that handing it out costs little, and
 * small enough that several workers finish at about the same time and a killed worker leaves little behind.
 */
const HANDING_OUT = { lostAfterSeconds: 15, patienceSeconds: 300, salesPerBatch: 500 } as const;

/** Returns the progress display: in place on a terminal, line by line elsewhere, none if only the result is wanted. */
export const progressOf = (
  io: CommandIo,
  { json, quiet }: Pick<CloseCommandOptions, 'json' | 'quiet'>,
): Progress => {
  if (json || quiet) return silentProgress;
  return io.isTerminal ? terminalProgress(io.warn) : plainProgress(io.print);
};

/** Parses a period, or an amended version of one such as `2026-10-amended-1`. @throws {TieoutError} E_PERIOD */
export const periodOf = (text: string): FilingPeriod => {
  const period = parseVersion(text);
  if (period) return period;
  throw usageError(
    `"${text}" is not a filing period`,
    'Write a month as 2026-10, a quarter as 2026-Q4, a half as 2026-H2, a year as 2026, or a range as 2026-10..2026-12.',
    'E_PERIOD',
  );
};

/** A command line that cannot be meant so. */
export const usageError = (message: string, nextStep: string, code: ErrorCode = 'E_USAGE'): TieoutError =>
  new TieoutError({ code, message, nextStep });

/** Adds the options of a command for one entity, or all of them. */
export const withEntities = (
  command: Command,
  which = 'work on one entity only (default: all of them)',
): Command =>
  command
    .option('-c, --config <file>', 'read this configuration', 'tieout.yaml')
    .option('-e, --entity <name>', which)
    .option('--json', 'print a single JSON object to stdout');

/** Adds the options of a command for one entity. */
export const withEntity = (command: Command): Command =>
  withEntities(command, 'name the entity if there are several');

/** Adds the option that says where the books are. */
export const withOutput = (command: Command): Command =>
  command.option(
    '-o, --output <folder>',
    'the folder of the books, instead of `output` of the configuration',
  );

/** Adds the option that chooses the tax content. */
export const withContent = (command: Command): Command =>
  command.option('--content <folder>', 'use this tax content folder instead of the built-in one');

/** Adds the options of a command that calculates: where it writes, with which content, and how many calls it may make. */
export const withBudget = (command: Command): Command =>
  withContent(withOutput(command))
    .option('-q, --quiet', 'print only errors')
    .option(
      '--max-calculations <number>',
      'stop before more calculations than this',
      wholeNumber(Number.MAX_SAFE_INTEGER),
    );

/** Parses an option that is a whole number within limits. */
export const wholeNumber =
  (max: number, min = 0) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value > max || value < min)
      throw new InvalidArgumentError(
        `It must be a whole number ${min > 0 ? `from ${min} ` : ''}up to ${max}.`,
      );
    return value;
  };
