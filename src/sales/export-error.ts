import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';

/** The error for a file that is unusable as a whole. Unusable rows are findings, not errors. */
export class ExportError extends TieoutError {
  constructor(
    code: Extract<ErrorCode, `E_EXPORT_${string}`>,
    file: string,
    rule: string,
    nextStep: string,
    cause?: unknown,
    details: object = {},
  ) {
    super({
      code,
      message: `${file}: ${rule}.`,
      nextStep,
      details: { file, ...details },
      cause,
    });
  }
}

/** An error of one code and next step: made of the file's name, the rule that it breaks, and the cause. */
const failing =
  (code: ConstructorParameters<typeof ExportError>[0], nextStep: string) =>
  (name: string, rule: string, cause?: unknown): ExportError =>
    new ExportError(code, name, rule, nextStep, cause);

/** The error for a file that exceeds a limit that no real export reaches. */
export const beyondLimit = failing(
  'E_EXPORT_LIMIT',
  'Check that it is the export it should be; a larger one has to be exported in parts.',
);

/** The error for a compressed file or archive that cannot or must not be unpacked. */
export const badArchive = failing(
  'E_EXPORT_ARCHIVE',
  'Unpack it yourself, look at what it holds, and name the files themselves.',
);

export const notText = failing('E_EXPORT_ENCODING', 'Export it as CSV in UTF-8, or as an XLSX workbook.');

/** The error for a path with no file. */
export const missingExport = failing('E_EXPORT_MISSING', 'Put the export there, or correct its name.');

export const oldOrLocked = (name: string): ExportError =>
  new ExportError(
    'E_EXPORT_ENCODING',
    name,
    'it is an old Excel workbook (.xls), or one with a password',
    'Take the password off, or export it as CSV in UTF-8 or as an XLSX workbook.',
  );

export const damaged = (name: string, line: number, what: string, cause?: unknown): ExportError => {
  const rule = `the record that starts on line ${line} is damaged (${what})`;
  const nextStep = 'Export the file again and do not edit it.';
  return new ExportError('E_EXPORT_DAMAGED', name, rule, nextStep, cause, { line });
};

/** Convert an error of the operating system or of unpacking into a message about the file. */
export const readingError = (error: unknown, name: string): unknown => {
  if (error instanceof ExportError || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return missingExport(name, 'there is no such file', error);
  if (code !== undefined && UNREADABLE.includes(code)) {
    const nextStep = 'Name a file that this user may read.';
    return new ExportError('E_EXPORT_UNREADABLE', name, `it cannot be read (${code})`, nextStep, error);
  }
  if (code === 'Z_BUF_ERROR') {
    const rule = 'its compressed data ends too early: it was cut off';
    return new ExportError('E_EXPORT_ARCHIVE', name, rule, 'Export or download it again.', error);
  }
  if (code?.startsWith('Z_')) return badArchive(name, `its compressed data is damaged (${code})`, error);
  return error;
};

const UNREADABLE = ['EISDIR', 'EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EIO', 'ENXIO'];
