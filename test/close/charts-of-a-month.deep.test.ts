import { join } from 'node:path';
import { expect } from 'vitest';
import { recalculate, testWithLibreOffice, unconfirmed } from '../support/libreoffice.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { closeChartMonths } from './chart-months.ts';

testWithLibreOffice('the charts of a month recalculate with the sheets below them', async () => {
  const folder = await temporaryFolder();
  await closeChartMonths(folder);
  const cells = await recalculate(join(folder, 'out/shop/2026-10/variance.xlsx'));
  expect(cells.length).toBeGreaterThan(0);
  expect(unconfirmed(cells)).toEqual([]);
});
