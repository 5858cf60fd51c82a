import { TieoutError } from '../../kernel/errors.ts';
import { expandFiles } from '../sales/files/expand-files.ts';
import { surveyFile } from '../sales/files/survey-file.ts';
import type { Decided } from './decision.ts';
import { decisionError } from './decision-error.ts';
import { readDecisions } from './read-decisions.ts';

/**
 * What the files say that a configuration names as decisions.
 *
 * @param resolvePath makes a name absolute
 * @throws {TieoutError} E_DECISION for what is missing, cannot be read or is said in two ways
 */
export const decidedIn = async (
  entries: readonly string[],
  resolvePath: (path: string) => string,
): Promise<Decided> => {
  const sources = await expandFiles(entries, resolvePath).catch((error: unknown) => {
    if (!(error instanceof TieoutError) || error.code !== 'E_EXPORT_MISSING') throw error;
    throw decisionError(
      '`decisions` in the configuration',
      error.message,
      'A close writes decisions.csv beside its books: copy it there, fill it in, and close again.',
    );
  });
  return readDecisions(await Promise.all(sources.map(surveyFile)));
};
