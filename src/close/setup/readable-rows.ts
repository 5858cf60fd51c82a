import { ExportError } from '../sales/export-error.ts';
import { rowByRow } from '../sales/files/table-row.ts';
import type { RecognisedFile } from './survey-folder.ts';

/** The rows of a file up to the first place that cannot be read; what is wrong there is said when the file is tried. */
export async function* readableRows({ found }: RecognisedFile): ReturnType<typeof rowByRow> {
  try {
    yield* rowByRow(found.rows());
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
  }
}
