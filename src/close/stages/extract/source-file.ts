import { expandFiles } from '../../sales/files/expand-files.ts';
import { type SurveyedFile, surveyFile } from '../../sales/files/survey-file.ts';

/** A file of a channel as it stands on disk, or in an archive. */
export type SourceFile = SurveyedFile;

/** The files that `files` or `refundDates` of a channel mean, each looked at once, in the order of reading. */
export const sourceFiles = async (
  entries: readonly string[],
  resolvePath: (path: string) => string,
): Promise<readonly SourceFile[]> => {
  const files: SourceFile[] = [];
  // One after the other: each is read from end to end, which keeps a disk busy.
  for (const source of await expandFiles(entries, resolvePath)) files.push(await surveyFile(source));
  return files;
};
