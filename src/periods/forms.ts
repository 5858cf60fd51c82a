import { join } from 'node:path';
import { decidedIn } from '../judge/decided-in.ts';
import { type Decision, decisionError } from '../judge/decision.ts';
import { folderDifferences } from '../runtime/publish-folder.ts';
import { ExportError } from '../sales/file-source.ts';
import type { ClosePorts } from './close-ports.ts';
import type { PublishedPeriod } from './folders.ts';

/** The files of a period that a person fills in. */
const FILLED_IN: ReadonlySet<string> = new Set(['open-items.csv']);

/**
 * Refuses to replace a form in the folder of the books that a person has filled in: first the configuration must name it
 * as a file of decisions.
 *
 * @throws {TieoutError} E_DECISION when the folder has a decision that was not read
 */
export const refuseUnread = async (
  { configuration: { decided } }: Pick<ClosePorts, 'configuration'>,
  { folder, manifest, frame }: PublishedPeriod,
): Promise<void> => {
  const forms = manifest.content.outputs.filter(({ path }) => FILLED_IN.has(path));
  for await (const { path, what } of folderDifferences(folder, forms)) {
    if (what !== 'changed') continue;
    const read = new Set([...(await frame()).decisions, ...decided].map(wordsOf));
    const unread = (await decisionsAt(folder, path)).find((decision) => !read.has(wordsOf(decision)));
    if (unread)
      throw decisionError(
        join(folder, unread.place),
        'it was decided beside the books, which this close would write over',
        'Name the file in `decisions` of the configuration, or move it away, and close again.',
      );
  }
};

const wordsOf = ({ verdict, why, by, on }: Decision): string => JSON.stringify([verdict, why, by, on]);

/** A damaged file does not contain decisions. */
const decisionsAt = async (folder: string, path: string): Promise<readonly Decision[]> => {
  try {
    return await decidedIn([path], (name) => join(folder, name));
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    return [];
  }
};
