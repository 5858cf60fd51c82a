import { appendFile, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { writeOrders, writeRefunds, writeShop } from '../support/shop.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

type Figures = {
  readonly exit_code: number;
  readonly states: readonly { readonly orders: number; readonly collected: string }[];
  readonly inputs: readonly Readonly<Record<'path' | 'rows' | 'used' | 'ignored' | 'rejected', unknown>>[];
  readonly exceptions: readonly Readonly<Record<'code' | 'severity' | 'record' | 'message', string>>[];
};

const closed = async (folder: string): Promise<Figures> => {
  const config = join(folder, 'tieout.yaml');
  const ran = await tieout(['close', '2026-10', '--config', config, '--output', folder, '--json']);
  expect(ran.stderr).toBe('');
  return JSON.parse(ran.stdout) as Figures;
};

const errors = ({ exceptions }: Figures) =>
  exceptions.filter(({ severity }) => severity === 'error').map(({ code, record }) => `${code} ${record}`);
const rowsOf = ({ inputs }: Figures) =>
  inputs.map(({ path, rows, used, ignored, rejected }) => [path, rows, used, ignored, rejected]);

type Repair = (row: Record<string, string>, index: number) => Record<string, string> | undefined;

const rejectsOf = (folder: string, input: string): string =>
  join(folder, 'shop', '2026-10', 'rejects', 'shopify', `${input}.rejects.csv`);

/** Take the reject file of an input, change or drop its rows, and write them into the channel's folder. */
const repair = async (folder: string, input: string, to: string, change: Repair): Promise<void> => {
  const options = { columns: true, relax_column_count: true } as const;
  const rows = parse<Record<string, string>>(await readFile(rejectsOf(folder, input), 'utf8'), options);
  const repaired = rows.map(change).filter((row) => row !== undefined);
  await writeFile(join(folder, to), stringify(repaired, { header: true }));
};

/** Four records that are as they should be or not, and a row that has lost its order. */
const damagedShop = async (): Promise<string> => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'exports'));
  await writeOrders(folder, 'exports/oct.csv', [
    { name: '#1' },
    { name: '#2', total: '#REF!' },
    { name: '#3' },
    { name: '#3', price: '90.00', tax: '9.68' },
  ]);
  await appendFile(join(folder, 'exports', 'oct.csv'), '#4,too,few,cells\n');
  await writeShop(folder, ['exports']);
  return folder;
};

describe('a reject file', () => {
  test.for([
    ['z-repaired.csv', 'behind the file it repairs'],
    ['a-repaired.csv', 'before the file it repairs'],
  ])('that was repaired and put into the folder as %s, %s, brings its records in once', async ([name]) => {
    const folder = await damagedShop();
    const damaged = await closed(folder);
    expect(errors(damaged).sort()).toEqual([
      'bad-cell #2',
      'cell-count #4',
      'conflicting-duplicate #3',
      'conflicting-duplicate #3',
    ]);
    await repair(folder, 'exports_oct.csv', `exports/${name}`, (row, index) => {
      if (row['_record'] === '#4') return { ...row, 'Financial Status': 'voided' };
      if (index === 1) return undefined;
      return row['_record'] === '#2' ? { ...row, Total: '110.75' } : row;
    });
    const repaired = await closed(folder);
    expect(errors(repaired)).toEqual([]);
    expect([repaired.exit_code, repaired.states[0]?.orders]).toEqual([0, 3]);
    expect(repaired.exceptions.map(({ code }) => code)).not.toContain('layout-changed');
    expect(rowsOf(repaired)).toEqual(
      [
        [`exports/${name}`, 3, 2, 1, 0],
        ['exports/oct.csv', 5, 1, 4, 0],
      ].sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
    );
  });

  test('that was put there without a repair changes nothing: its rows are rejected again, under their own columns', async () => {
    const folder = await damagedShop();
    const before = errors(await closed(folder));
    await copyFile(rejectsOf(folder, 'exports_oct.csv'), join(folder, 'exports', 'again.csv'));
    const again = await closed(folder);
    expect(errors(again)).toEqual(before);
    expect(rowsOf(again)).toEqual([
      ['exports/again.csv', 4, 0, 0, 4],
      ['exports/oct.csv', 5, 1, 4, 0],
    ]);
    await repair(folder, 'exports_again.csv', 'exports/later.csv', (row) =>
      row['_record'] === '#2' ? { ...row, Total: '110.75' } : undefined,
    );
    expect(errors(await closed(folder))).toEqual(before.filter((error) => error !== 'bad-cell #2'));
  });

  test('stands for nothing in a file that has changed since', async () => {
    const folder = await damagedShop();
    await closed(folder);
    await repair(folder, 'exports_oct.csv', 'exports/z.csv', (row) =>
      row['_record'] === '#2' ? { ...row, Total: '110.75' } : undefined,
    );
    await writeOrders(folder, 'exports/oct.csv', [{ name: '#1' }, { name: '#5', total: '#REF!' }]);
    const changed = await closed(folder);
    expect(errors(changed)).toEqual(['bad-cell #5']);
    expect(changed.states[0]?.orders).toBe(2);
  });

  test('of a companion file dates its refund', async () => {
    const folder = await temporaryFolder();
    await writeOrders(folder, 'oct.csv', [{ name: '#1', status: 'refunded', refunded: '110.75' }]);
    await writeRefunds(folder, 'p.csv', [{ order: '#1', at: 'on Tuesday', amount: '110.75' }]);
    await writeShop(folder, ['oct.csv'], ['p.csv']);
    expect(errors(await closed(folder))).toContain('bad-cell #1');
    await repair(folder, 'p.csv', 'q.csv', (row) => ({
      ...row,
      'Transaction Date': '2026-10-20 09:00:00 -0700',
    }));
    await writeShop(folder, ['oct.csv'], ['p.csv', 'q.csv']);
    const repaired = await closed(folder);
    expect(errors(repaired)).toEqual([]);
    expect(rowsOf(repaired)).toEqual([
      ['oct.csv', 1, 1, 0, 0],
      ['p.csv', 1, 0, 1, 0],
      ['q.csv', 1, 1, 0, 0],
    ]);
  });
});

describe('a record that cannot be read', () => {
  test('is settled by a newer export that has it whole', async () => {
    const folder = await temporaryFolder();
    await writeOrders(folder, 'oct.csv', [{ name: '#1' }, { name: '#2', total: '#REF!' }]);
    await writeOrders(folder, 'nov.csv', [{ name: '#2' }]);
    await writeShop(folder, ['oct.csv', 'nov.csv']);
    const figures = await closed(folder);
    expect(errors(figures)).toEqual([]);
    expect(rowsOf(figures)).toEqual([
      ['nov.csv', 1, 1, 0, 0],
      ['oct.csv', 2, 1, 1, 0],
    ]);
  });
});
