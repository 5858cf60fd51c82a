import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { filesBelow } from '../../src/runtime/publish-folder.ts';
import { storedCells } from '../support/stored-cells.ts';
import { COMMAND, has, hostileMonth, STARTS } from './hostile-month.ts';

const isHostile = (text: string): boolean =>
  /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);

describe('a month whose every text would be a formula or a script', () => {
  const { pack } = hostileMonth();

  test.for(['variance.xlsx', 'filing-summary.xlsx'])('%s holds them as text alone', async (book) => {
    const cells = await storedCells(join(pack(), book));
    expect(has(cells, COMMAND)).toBe(true);
    const formulas = cells.flatMap(({ formula }) => formula ?? []);
    expect(formulas.length).toBeGreaterThan(10);
    expect(
      formulas.filter((formula) => /1\+1|HYPERLINK|cmd\||SUM\(1,1\)|script|onerror/.test(formula)),
    ).toEqual([]);
  });

  test('Detail has them as they stand in the export, but for blanks at their ends', async () => {
    const cells = await storedCells(join(pack(), 'variance.xlsx'));
    const shown = (start: string) =>
      cells.some(({ place, value }) => place.startsWith('Detail!') && value === start.trim());
    expect(STARTS.filter((start) => !shown(start))).toEqual([]);
  });

  test('no cell of a reject or upload file begins like a formula', async () => {
    const names = (await filesBelow(pack())).filter((name) => /^(rejects|upload)\/.*\.(csv|txt)$/.test(name));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const text = await readFile(join(pack(), name), 'utf8');
      const rows: string[][] = parse(text, { relax_column_count: true, relax_quotes: true });
      expect([name, rows.flat().filter(isHostile)]).toEqual([name, []]);
    }
  });

  test('no element or attribute of the page or of an XML file comes of them', async () => {
    const page = await readFile(join(pack(), 'report.html'), 'utf8');
    expect(page).toContain('&lt;script&gt;');
    expect(page.match(/<script|<img|<[^>]*\sonerror=/g)).toEqual(['<script']);
    const cells = [...page.matchAll(/<t[dh]\b[^>]*>(?:<a\b[^>]*>)?([^<]*)/g)].map(([, text = '']) => text);
    expect(cells.length).toBeGreaterThan(100);
    expect(cells.filter((text) => isHostile(text.replaceAll(',', '')))).toEqual([]);
    const [xml = ''] = (await filesBelow(pack())).filter((name) => name.endsWith('.xml'));
    expect(await readFile(join(pack(), xml), 'utf8')).not.toMatch(/<script|<img/);
  });
});
