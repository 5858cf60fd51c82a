import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableRows } from '../support/sheets.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { tieout } from '../support/tieout.ts';
import { workbookCharts } from '../support/workbook-charts.ts';
import { workbookTables } from '../support/workbook-tables.ts';
import { closeChartMonths } from './chart-months.ts';

type Row = Awaited<ReturnType<typeof tableRows>>[number];

/** What stacked columns show: from zero, values above it go up and values below it go down, in their order. */
const drawnSpans = (row: Row): readonly (readonly [number, number])[] => {
  let [up, down] = [0, 0];
  const spans: [number, number][] = [];
  for (const title of ['Base', ...SIDES, 'Total']) {
    const value = Math.round(Number(row[title]) * 100);
    const start = value > 0 ? up : down;
    if (value > 0) up += value;
    else down += value;
    if (title !== 'Base' && value !== 0)
      spans.push([Math.min(start, start + value), Math.max(start, start + value)]);
  }
  return spans.sort(([left], [right]) => left - right);
};
const SIDES = ['Over', 'Over below zero', 'Under', 'Under below zero'] as const;

describe('the charts of a month', () => {
  let folder = '';
  const packOf = (month: string) => join(folder, 'out/shop', `2026-${month}`);
  const variance = (month: string) => join(packOf(month), 'variance.xlsx');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tieout-charts-'));
    await closeChartMonths(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.for([
    ['10', [300, -1075, 900, -60]],
    ['09', [-1075, 2000, -1500]],
    ['08', [-1075, 1075]],
  ] as const)(
    'draw the steps of the bridge of month %s from where each begins to where it ends',
    async ([month, amounts]) => {
      const rows = await tableRows(variance(month), 'Bridge steps');
      expect(rows.slice(0, -1).map((row) => Math.round(Number(row['Amount']) * 100))).toEqual(amounts);
      let reached = 0;
      for (const [index, row] of rows.entries()) {
        const from = index === amounts.length ? 0 : reached;
        reached += amounts[index] ?? 0;
        const [low, high] = [Math.min(from, reached), Math.max(from, reached)];
        const spans = drawnSpans(row);
        // One span, two that meet at zero, or none of a total of nothing.
        if (low === high) expect(spans).toEqual([]);
        else if (low < 0 && high > 0)
          expect(spans).toEqual([
            [low, 0],
            [0, high],
          ]);
        else expect(spans).toEqual([[low, high]]);
      }
    },
  );

  test('give the steps of the bridge the colour of their side of zero', async () => {
    const rows = await tableRows(variance('10'), 'Bridge steps');
    expect(rows.map((row) => [...SIDES, 'Total'].filter((title) => row[title] !== 0))).toEqual([
      ['Over'],
      ['Under', 'Under below zero'],
      ['Over', 'Over below zero'],
      ['Under'],
      ['Total'],
    ]);
    expect(rows.at(-1)).toMatchObject({
      Step: 'Variance',
      Amount: 0.65,
      Total: 0.65,
      Label: 'Variance 0.65',
    });
  });

  test('have kept what the cells hold', async () => {
    const charts = await workbookCharts(variance('10'));
    expect(charts.map(({ title }) => title).length).toBe(2);
    for (const { references } of charts)
      expect(references.map(({ kept }) => kept)).toEqual(references.map(({ held }) => held));
    const trend = await tableRows(variance('10'), 'Trend by period');
    expect(trend.map((row) => [row['Period'], row['Over'], row['Under']])).toEqual([
      ['2026-08', 0, 0],
      ['2026-09', 0, -5.75],
      ['2026-10', 0.65, 0],
    ]);
  });

  test('are left out where they would have fewer than two bars', async () => {
    const [august, october] = [await workbookTables(variance('08')), await workbookTables(variance('10'))];
    expect([august.has('Trend_by_period'), october.has('Trend_by_period')]).toEqual([false, true]);
    const filings = ['08', '10'].map((month) => join(packOf(month), 'filing-summary.xlsx'));
    const [first, third] = await Promise.all(filings.map(workbookTables));
    expect([first?.has('Tax_by_period'), third?.has('Tax_by_period')]).toEqual([false, true]);

    const clean = await mkdtemp(join(folder, 'clean-'));
    await writeOrders(clean, 'orders.csv', [{ name: '#1' }]);
    await writeShop(clean, ['orders.csv']);
    const args = ['--config', join(clean, 'tieout.yaml'), '--output', join(clean, 'out')];
    expect(await tieout(['close', '2026-10', ...args])).toMatchObject({ code: 0, stderr: '' });
    const pack = join(clean, 'out/shop/2026-10');
    const tables = await workbookTables(join(pack, 'variance.xlsx'));
    for (const table of ['Bridge_steps', 'Trend_by_period', 'Exceptions_by_code'])
      expect([table, tables.has(table)]).toEqual([table, false]);
    const drawn = async (folderOf: string) =>
      [...(await readFile(join(folderOf, 'report.html'), 'utf8')).matchAll(/<svg\b/g)].length;
    expect(await drawn(pack)).toBeLessThanOrEqual((await drawn(packOf('10'))) - 3);
  });

  test('lead on the page to the rows that they show, with amounts sorted by their cents', async () => {
    const page = await readFile(join(packOf('10'), 'report.html'), 'utf8');
    expect(page).toMatch(/<td class="figure" data-sort="-1075">-10\.75<\/td>/);
    expect(page).toContain('href="#by-reason"');
  });
});
