import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect } from 'vitest';
import { testWithChromium } from '../support/chromium.ts';
import { converted, testWithLibreOffice } from '../support/libreoffice.ts';
import { storedCells } from '../support/stored-cells.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { COMMAND, EQUALS, has, hostileMonth } from './hostile-month.ts';

describe('a month whose every text would be a formula or a script', () => {
  const { pack } = hostileMonth();

  testWithChromium('the page runs nothing but its own script', async (open) => {
    const page = await open(pathToFileURL(join(pack(), 'report.html')).href);
    expect(await page.title()).toContain(EQUALS);
    expect(await page.locator('img').count()).toBe(0);
  });

  testWithLibreOffice('LibreOffice takes none of them for a formula, in workbook or page', async () => {
    const variance = join(pack(), 'variance.xlsx');
    const formulasOf = async (path: string, options: readonly string[] = []) =>
      converted(
        path,
        'xlsx:Calc MS Excel 2007 XML',
        async (output, name) => {
          const cells = await storedCells(join(output, name.replace(/\.\w+$/, '.xlsx')));
          expect(has(cells, COMMAND)).toBe(true);
          return cells.filter(({ formula }) => formula !== undefined).map(({ place }) => place);
        },
        options,
      );
    const own = (await storedCells(variance)).filter(({ formula }) => formula !== undefined);
    expect(new Set(await formulasOf(variance))).toEqual(new Set(own.map(({ place }) => place)));
    const page = join(await temporaryFolder(), 'page.html');
    await writeFile(page, await readFile(join(pack(), 'report.html')));
    expect(await formulasOf(page, ['--infilter=HTML (StarCalc)'])).toEqual([]);
  });
});
