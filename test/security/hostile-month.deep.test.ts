import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { testWithChromium } from '../support/chromium.ts';
import { converted, testWithLibreOffice } from '../support/libreoffice.ts';
import { month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';
import { type StoredCell, storedCells } from '../support/stored-cells.ts';
import { filesOf, sharedFolder } from '../support/tieout.ts';

/** What a program that is too helpful would compute, or run. */
const STARTS = [
  '=1+1',
  '=HYPERLINK("http://x","y")',
  "=cmd|' /C calc'!A1",
  '+1+1',
  '-1+1',
  '@SUM(1,1)',
  '\t=1+1',
  '\r=1+1',
  '<script>document.title="hostile"</script>',
  '<img src=x onerror=document.title="hostile">',
];
const [EQUALS = '', LINK = '', COMMAND = ''] = STARTS;
const EXPORT = '=1+1.csv';
const STATES = ['CA', 'NY', 'OH', 'PA', 'WA', 'WI'];
const SETTINGS = {
  name: EQUALS,
  registrations: STATES.map((state) => ({ state, since: '2019-01-01', account: LINK })),
};
const SEATTLE = { state: 'WA', zip: '98101' };

/** Each start as the name of an order and of its city: in order, charged wrongly, not paid, and not readable. */
const ORDERS: readonly Order[] = STARTS.flatMap((start, index) => {
  const to = { city: start, ...(index % 2 === 0 ? SEATTLE : { state: 'CA', zip: '94607' }) };
  return [
    { name: `#${5000 + index}`, to },
    { name: `${start} wrong`, to, tax: '1.23' },
    { name: `${start} pending`, to, status: 'pending' },
    { name: `${start} broken`, to, price: start, total: '1.00' },
  ];
});

/** CSV as UTF-8 with commas, whatever looks like a formula taken for one. */
const EVALUATED = 'CSV:44,34,76,1,,0,false,true,false,false,false,0,true';

const isHostile = (text: string): boolean =>
  /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
const has = (cells: readonly StoredCell[], text: string): boolean =>
  cells.some(({ value }) => typeof value === 'string' && value.includes(text));

describe('a month whose every text would be a formula or a script', () => {
  const folder = sharedFolder();
  let pack = '';

  beforeAll(async () => {
    const shop = await month({ orders: { [EXPORT]: ORDERS }, settings: SETTINGS }, folder);
    await shop.close();
    const sign = (role: string, name: string, why: string) =>
      shop.told(0, 'sign', '2026-10', '--role', role, '--as', name, '--open-exceptions', why);
    await sign('preparer', COMMAND, COMMAND);
    await sign('reviewer', '@SUM(1,1)', '+1');
    pack = shop.out();
  });

  test.for(['variance.xlsx', 'filing-summary.xlsx'])('%s holds them as text alone', async (book) => {
    const cells = await storedCells(join(pack, book));
    // Names of records stand in the book of the sales; that of the returns has sums.
    expect(has(cells, COMMAND)).toBe(book === 'variance.xlsx');
    const formulas = cells.flatMap(({ formula }) => formula ?? []);
    expect(formulas.length).toBeGreaterThan(10);
    expect(
      formulas.filter((formula) => /1\+1|HYPERLINK|cmd\||SUM\(1,1\)|script|onerror/.test(formula)),
    ).toEqual([]);
  });

  test('Detail has them as they stand in the export, but for blanks at their ends', async () => {
    const cells = await storedCells(join(pack, 'variance.xlsx'));
    const shown = (start: string) =>
      cells.some(({ place, value }) => /^Detail!D/.test(place) && `${value}`.startsWith(`${start.trim()} `));
    expect(STARTS.filter((start) => !shown(start))).toEqual([]);
  });

  test('no cell of a reject or upload file begins like a formula', async () => {
    const names = [...(await filesOf(pack)).keys()].filter((name) =>
      /^(rejects|upload)\/.*\.(csv|txt)$/.test(name),
    );
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const text = await readFile(join(pack, name), 'utf8');
      const rows: string[][] = parse(text, { relax_column_count: true, relax_quotes: true });
      expect([name, rows.flat().filter(isHostile)]).toEqual([name, []]);
    }
  });

  test('no element or attribute of the page comes of them', async () => {
    const page = await readFile(join(pack, 'report.html'), 'utf8');
    expect(page).toContain(`<title>Sales tax for October 2026: ${EQUALS}`);
    expect(page.match(/<script|<img|<[^>]*\sonerror=/g)).toEqual(['<script']);
    const cells = [...page.matchAll(/<t[dh]\b[^>]*>(?:<a\b[^>]*>)?([^<]*)/g)].map(([, text = '']) => text);
    expect(cells.length).toBeGreaterThan(100);
    expect(cells.filter((text) => isHostile(text.replaceAll(',', '')))).toEqual([]);
  });

  testWithChromium('the page runs nothing but its own script', async (open) => {
    const page = await open(pathToFileURL(join(pack, 'report.html')).href);
    expect(await page.title()).toContain(EQUALS);
    expect(await page.locator('img').count()).toBe(0);
  });

  testWithLibreOffice(
    'LibreOffice takes none of them for a formula, in a workbook, page, reject or upload file',
    async () => {
      const variance = join(pack, 'variance.xlsx');
      const formulasOf = async (path: string, options: readonly string[] = []) =>
        converted(
          path,
          'xlsx:Calc MS Excel 2007 XML',
          async (output, name) => {
            const cells = await storedCells(join(output, name.replace(/\.\w+$/, '.xlsx')));
            return cells.filter(({ formula }) => formula !== undefined).map(({ place }) => place);
          },
          options,
        );
      const own = (await storedCells(variance)).filter(({ formula }) => formula !== undefined);
      expect(own.length).toBeGreaterThan(10);
      expect(new Set(await formulasOf(variance))).toEqual(new Set(own.map(({ place }) => place)));
      const page = join(folder, 'page.html');
      await writeFile(page, await readFile(join(pack, 'report.html')));
      expect(await formulasOf(page, ['--infilter=HTML (StarCalc)'])).toEqual([]);
      const files = [...(await filesOf(pack)).keys()].filter((name) =>
        /^(rejects|upload)\/.*\.csv$/.test(name),
      );
      expect(files.length).toBeGreaterThan(0);
      const texts = await Promise.all(files.map((name) => readFile(join(pack, name), 'utf8')));
      const together = join(folder, 'together.csv');
      await writeFile(together, texts.join('\n'));
      expect(await formulasOf(together, [`--infilter=${EVALUATED}`])).toEqual([]);
      const unguarded = join(folder, 'unguarded.csv');
      await writeFile(unguarded, `${Array(30).fill(EQUALS)}\n`);
      expect(await formulasOf(unguarded, [`--infilter=${EVALUATED}`])).not.toEqual([]);
    },
  );
});
