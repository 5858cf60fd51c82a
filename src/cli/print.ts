import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { designedError, exitCodeOf, TieoutError } from '../kernel/errors.ts';
import { sentence } from '../kernel/text.ts';
import { makeFolder } from '../runtime/publish-folder.ts';
import type { CommandIo } from './io.ts';

/** Formats an error for people: its code, the problem and its place, and the next step. */
export const errorText = (error: unknown): string => {
  const designed = designedError(error);
  if (designed && designed.recovery !== 'defect') {
    return `${designed.code}: ${sentence(designed.message)}\n${sentence(designed.nextStep)}\n`;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `E_DEFECT: ${trace}\nThis is a defect in Tieout: please report it with the command you ran.\n`;
};

/** Returns an error as the single JSON object on standard output. @param completed completes the commands that it names */
export const errorObject = (error: unknown, completed: (text: string) => string = (text) => text): object => {
  const designed = designedError(error);
  const code = designed?.code ?? 'E_DEFECT';
  const message = designed?.message ?? (error instanceof Error ? error.message : String(error));
  const nextStep = designed?.nextStep ?? 'Please report this defect.';
  return { error: { code, message, next_step: completed(nextStep), exit_code: exitCodeOf(error) } };
};

/**
 * Formats rows as lines, each column as wide as its widest cell.
 *
 * @param indent stands before each line
 */
export const tableLines = (rows: readonly (readonly string[])[], indent = ''): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cellText = (cell: string, column: number): string => cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => `${indent}${row.map(cellText).join('  ')}`.trimEnd());
};

/** Prints the answer of a command: one JSON object for machines, or a text for people. */
export const printAnswer = (
  io: Pick<CommandIo, 'print'>,
  isJson: boolean | undefined,
  object: object | undefined,
  text: string,
): void => io.print(isJson ? `${JSON.stringify(object, null, 2)}\n` : text);

/** Formats rows as a text of its own. */
export const textTable = (rows: readonly (readonly string[])[]): string => `${tableLines(rows).join('\n')}\n`;

/** Writes a file for a person to edit. An existing file is kept, because it may contain their work. */
export const writeNewFile = async (
  file: string,
  text: string,
  what: 'configuration' | 'profile',
): Promise<void> => {
  try {
    makeFolder(dirname(file));
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsAlready(file, what);
    throw new TieoutError({
      code: 'E_CONFIG_UNWRITABLE',
      message: `${file}: the ${what} cannot be written (${code})`,
      nextStep: 'Name another place with --output.',
      cause: error,
    });
  }
};

export const existsAlready = (file: string, what: 'configuration' | 'profile'): TieoutError =>
  new TieoutError({
    code: 'E_CONFIG_EXISTS',
    message: `${file} is there already, and init never overwrites a ${what}`,
    nextStep: 'Edit it, or name another file with --output.',
  });
