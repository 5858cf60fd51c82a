import { join } from 'node:path';
import { folderDifferences } from '../../../runtime/folder-differences.ts';
import { decidedIn } from '../../decisions/decided-in.ts';
import type { Decision } from '../../decisions/decision.ts';
import { decisionError } from '../../decisions/decision-error.ts';
import type { Closing } from '../../periods/closing.ts';
import { ExportError } from '../../sales/export-error.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** The files of a period that a person fills in. */
const FILLED_IN: ReadonlySet<string> = new Set(['decisions.csv', 'variance.xlsx']);

/**
 * What was filled in where the books stand is written over by the next close: it has to be named as decisions first.
 *
 * @throws {TieoutError} E_DECISION when something was decided there that no one has read
 */
export const refuseUnread = async (
  { configuration }: ClosePorts,
  { files, report }: Closing,
  folder: string,
): Promise<void> => {
  const known = new Set([
    ...report.exceptions.flatMap(({ decision }) => (decision ? [wordsOf(decision)] : [])),
    ...configuration.decided.decisions.map(wordsOf),
  ]);
  const forms = files.filter(({ path }) => FILLED_IN.has(path));
  for await (const { path, what } of folderDifferences(folder, forms)) {
    if (what !== 'changed') continue;
    const unread = (await decisionsAt(folder, path)).find((decision) => !known.has(wordsOf(decision)));
    if (unread)
      throw decisionError(
        join(folder, unread.place),
        'it was decided beside the books, which this close would write over',
        'Name the file in `decisions` of the configuration, or move it away, and close again.',
      );
  }
};

const wordsOf = ({ verdict, why, by, on }: Decision): string => JSON.stringify([verdict, why, by, on]);

/** A file that is damaged holds no decision. */
const decisionsAt = async (folder: string, path: string): Promise<readonly Decision[]> => {
  try {
    return (await decidedIn([path], (name) => join(folder, name))).decisions;
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    return [];
  }
};
