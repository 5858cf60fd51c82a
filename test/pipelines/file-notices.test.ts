import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { zipOf } from '../hostile/zip-of.ts';
import { tableRows } from '../support/sheets.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

type Figures = {
  readonly exit_code: number;
  readonly states: readonly { readonly orders: number }[];
  readonly inputs: readonly {
    readonly path: string;
    readonly rows: number;
    readonly used: number;
    readonly ignored: number;
    readonly notices: readonly { readonly code: string; readonly message: string }[];
  }[];
  readonly exceptions: readonly Readonly<Record<'code' | 'severity' | 'file', string>>[];
};

const closed = async (folder: string): Promise<Figures> => {
  const config = join(folder, 'tieout.yaml');
  const ran = await tieout(['close', '2026-10', '--config', config, '--output', folder, '--json']);
  expect(ran.stderr).toBe('');
  return JSON.parse(ran.stdout) as Figures;
};

describe('what is unusual about a file', () => {
  test('stands with it in Inputs, and in Exceptions where it may mean something', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'exports'));
    const write = async (name: string, change: (text: string) => string | Buffer): Promise<void> => {
      const path = join(folder, 'exports', name);
      await writeOrders(folder, join('exports', name), [{ name: `#${name[0]}` }]);
      await writeFile(path, change(await readFile(path, 'utf8')));
    };
    await write('1-plain.csv', (text) => text);
    await write('2-old.csv', (text) => Buffer.from(text.replace('Lantern', 'Café'), 'latin1'));
    await write('3-wide.csv', (text) => text.replace('Name,', 'Mood,Name,').replace('\n#3', '\nfine,#3'));
    await write('4-again.csv', (text) => `${text}${text.split('\n')[0]}\n`);
    await write('5-empty.csv', (text) => `${text.split('\n')[0]}\n`);
    await write('6-cut.csv', (text) => text.trimEnd());
    await writeShop(folder, ['exports']);
    const figures = await closed(folder);
    expect([figures.exit_code, figures.states[0]?.orders]).toEqual([0, 5]);
    expect(figures.inputs.map(({ notices }) => notices.map(({ message }) => message))).toEqual([
      [],
      ['read as Windows-1252 text'],
      ['the layout has changed: +Mood'],
      ['beside its records: the header once more on line 3'],
      ['it has a header and no rows'],
      ['its last line has no end; if the file was cut off, its last record is not whole'],
    ]);
    expect(
      figures.exceptions
        .filter(({ file }) => file.startsWith('exports/'))
        .map(({ severity, code, file }) => `${severity} ${code} ${file}`)
        .sort(),
    ).toEqual([
      'notice encoding exports/2-old.csv',
      'notice layout-changed exports/3-wide.csv',
      'notice no-rows exports/5-empty.csv',
      'notice repeated-header exports/4-again.csv',
      'warning no-final-line-end exports/6-cut.csv',
    ]);
    const rows = await tableRows(join(folder, 'shop', '2026-10', 'variance.xlsx'), 'Inputs');
    expect(rows.map((row) => row['Notices'])[1]).toBe('read as Windows-1252 text');
  });
});

describe('a channel of many files', () => {
  test('in a folder, a pattern and an archive is read whole, each file once', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'loose'));
    const members: Record<string, Buffer> = {};
    for (let index = 1; index <= 200; index += 1) {
      const name = `${String(index).padStart(3, '0')}.csv`;
      await writeOrders(folder, join('loose', name), [{ name: `#${index}` }, { name: `#${index + 1}` }]);
      if (index <= 150) members[name] = await readFile(join(folder, 'loose', name));
    }
    await writeFile(join(folder, 'all.zip'), await zipOf(members));
    await writeShop(folder, ['all.zip', '"loose/1*.csv"', 'loose']);
    const figures = await closed(folder);
    expect([figures.exit_code, figures.states[0]?.orders, figures.inputs.length]).toEqual([0, 201, 350]);
    const total = (pick: 'rows' | 'used' | 'ignored') =>
      figures.inputs.reduce((sum, input) => sum + input[pick], 0);
    expect([total('rows'), total('used'), total('ignored')]).toEqual([700, 201, 499]);
  });
});
