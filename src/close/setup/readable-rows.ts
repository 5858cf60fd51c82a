import { ExportError } from '../sales/export-error.ts';
import { rowByRow } from '../sales/files/table-row.ts';
import type { RecognisedFile } from './survey-folder.ts';

/** Yield the rows of a file up to the first unreadable place; the trial of the file reports that problem. */
export async function* readableRows({ found }: RecognisedFile): ReturnType<typeof rowByRow> {
  try {
    yield* rowByRow(found.rows());
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
  }
}
