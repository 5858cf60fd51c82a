import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import excel from 'exceljs';
import fc from 'fast-check';
import { fromBufferPromise } from 'yauzl';
import { readWorkbook } from '../../../src/sales/read-workbook.ts';
import { expandFiles, surveyFile } from '../../../src/sales/survey-file.ts';
import { zipOf } from '../../sales/files/on-disk.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inFolder, inTime, refusedClearly } from '../fuzz-target.ts';

const newParts = async (): Promise<Readonly<Record<string, Buffer>>> => {
  const book = new excel.Workbook();
  const sheet = book.addWorksheet('Orders');
  sheet.addRow(['Name', 'Created at', 'Total', 'Taxes', 'Notes']);
  for (let row = 1; row < 6; row += 1)
    sheet.addRow([
      `#${row}`,
      new Date(Date.UTC(2026, 9, row)),
      row * 100,
      { formula: 'C2*2', result: 7 },
      true,
    ]);
  const bytes = Buffer.from(await book.xlsx.writeBuffer());
  const archive = await fromBufferPromise(bytes, { autoClose: false });
  const parts: Record<string, Buffer> = {};
  for await (const entry of archive.eachEntry())
    if (!entry.fileName.endsWith('/'))
      parts[entry.fileName] = await buffer(await archive.openReadStreamPromise(entry));
  return parts;
};

/** Every row of every sheet, as a close reads them. */
const readAll = async (path: string): Promise<void> => {
  for (const source of await expandFiles([path], (same) => same)) {
    const file = await surveyFile(source);
    if (file.form.kind !== 'workbook') continue;
    for (const sheet of await readWorkbook(file)) for (const _ of sheet.rows());
  }
};

/** Workbooks with a damaged part, or whose bytes are damaged: they are read, or refused clearly. */
export const workbooks: FuzzTarget = {
  name: 'workbooks',
  share: 120,
  open: () =>
    inFolder(async (folder) => {
      const parts = await newParts();
      const whole = await zipOf(parts);
      const path = join(folder, 'orders.xlsx');
      const part = fc
        .constantFrom(...Object.keys(parts))
        .chain((name) =>
          damagedText((parts[name] ?? Buffer.alloc(0)).toString('utf8')).map((bytes) => ({ name, bytes })),
        );
      const packed = damagedText(whole.toString('latin1')).map((bytes) => ({ name: '', bytes }));
      return fuzzRun(fc.oneof({ weight: 4, arbitrary: part }, packed), async ({ name, bytes }) => {
        await writeFile(
          path,
          name === '' ? Buffer.from(bytes.toString(), 'latin1') : await zipOf({ ...parts, [name]: bytes }),
        );
        await inTime(refusedClearly(() => readAll(path)));
      });
    }),
};
