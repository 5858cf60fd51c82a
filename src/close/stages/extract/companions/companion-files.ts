import { TieoutError } from '../../../../kernel/errors.ts';
import { ExportError } from '../../../sales/export-error.ts';
import { type SourceFile, sourceFiles } from '../reading/source-file.ts';

/**
 * Returns the files that are configured in addition to sales exports. If one is missing, the error has the given code
 * and next step.
 */
export const companionFiles = async (
  entries: readonly string[],
  resolvePath: (path: string) => string,
  missing: { readonly code: `E_${string}`; readonly nextStep: string },
): Promise<readonly SourceFile[]> => {
  try {
    return await sourceFiles(entries, resolvePath);
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'E_EXPORT_MISSING') throw error;
    const { message, details } = error;
    throw new TieoutError({ ...missing, recovery: 'fix-input', message, details, cause: error });
  }
};
