import { ExportError } from '../close/sales/export-error.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import { refuseChanged, type SourceFile, sourceFiles } from './source-file.ts';

/**
 * Read the files that are configured in addition to sales exports. If one is missing, the error has the given code and
 * next step.
 *
 * @throws {TieoutError} E_EXPORT_CHANGED when one is replaced meanwhile
 */
export const readCompanionFiles = async <Read>(
  entries: readonly string[],
  resolvePath: (path: string) => string,
  missing: { readonly code: ErrorCode; readonly nextStep: string },
  read: (file: SourceFile) => Promise<Read>,
): Promise<readonly Read[]> => {
  const files = await sourceFiles(entries, resolvePath).catch((error) => {
    if (!(error instanceof ExportError) || error.code !== 'E_EXPORT_MISSING') throw error;
    const { message, details } = error;
    throw new TieoutError({ ...missing, message, details, cause: error });
  });
  const found: Read[] = [];
  for (const file of files) found.push(await read(file));
  await refuseChanged(files);
  return found;
};
