import { expect } from 'vitest';
import { filingBook } from '../../../src/close/report/filing-book.ts';
import { writeWorkbook } from '../../../src/close/workbook/write-workbook.ts';
import { recalculate, testWithLibreOffice, unconfirmed } from '../../support/libreoffice.ts';
import { temporaryFolder } from '../workbook/temporary-folder.ts';
import { everyStateFiling, given, reportOf } from './every-state.ts';

const at = temporaryFolder();

testWithLibreOffice('every line of every return recalculates to the cent it was computed at', async () => {
  await writeWorkbook(at('filing-summary.xlsx'), filingBook(reportOf(given), everyStateFiling()));
  const cells = await recalculate(at('filing-summary.xlsx'));
  expect(cells.length).toBeGreaterThan(600);
  expect(unconfirmed(cells)).toEqual([]);
});
