import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { ZipFile } from 'yazl';
import { scanRecords } from '../../../src/sales/scan-records.ts';
import { expandFiles, type SurveyedFile, surveyFile } from '../../../src/sales/survey-file.ts';
import { utf8Pieces } from '../../../src/sales/table-heads.ts';
import type { TableRow } from '../../../src/sales/table-row.ts';

type Contents = Readonly<Record<string, string | Uint8Array>>;

/** A folder with these files that lives as long as the test. */
export const folderOf = async (contents: Contents): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-files-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
};

export const expand = (folder: string, ...entries: readonly string[]) =>
  expandFiles(entries, (path) => join(folder, path));

/** Every file that an entry means, looked at once. */
export const surveyed = async (folder: string, entry: string): Promise<readonly SurveyedFile[]> => {
  const files: SurveyedFile[] = [];
  for (const source of await expand(folder, entry)) files.push(await surveyFile(source));
  return files;
};

export const surveyOf = async (content: string | Uint8Array, name = 'orders.csv'): Promise<SurveyedFile> => {
  const [file] = await surveyed(await folderOf({ [name]: content }), name);
  if (!file) throw new Error('there is no file');
  return file;
};

/** All rows of a file of comma-separated text, blank ones left out. */
export const rowsIn = async (file: SurveyedFile): Promise<readonly TableRow[]> => {
  const rows: TableRow[] = [];
  const options = { name: 'orders.csv', delimiter: ',', firstLine: 1 };
  for await (const batch of scanRecords(utf8Pieces(file), options)) rows.push(...batch);
  return rows;
};

/** A ZIP archive with these members. */
export const zipOf = async (members: Contents): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(members)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
};

/** The members of a workbook with this one sheet. */
export const partsOf = (sheet: string) => ({
  '[Content_Types].xml': '<?xml version="1.0"?><Types/>',
  'xl/workbook.xml':
    '<?xml version="1.0"?><workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<?xml version="1.0"?><Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/worksheets/sheet1.xml': sheet,
});
