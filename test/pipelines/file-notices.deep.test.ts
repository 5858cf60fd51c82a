import { describe, expect, test } from 'vitest';
import { zipOf } from '../hostile/zip-of.ts';
import type { FileFigures } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { ordersExport } from '../support/shop-exports.ts';

describe('what is unusual about a file', () => {
  test('stands with it in Inputs, and in Exceptions where it may mean something', async () => {
    const shop = await month({ channel: { files: ['exports'] } });
    const write = (name: string, change: (text: string) => string | Buffer): Promise<void> =>
      shop.write(`exports/${name}`, change(ordersExport([{ name: `#${name[0]}` }])));
    await write('1-plain.csv', (text) => text);
    await write('2-old.csv', (text) => Buffer.from(text.replace('Lantern', 'Café'), 'latin1'));
    await write('3-wide.csv', (text) => text.replace('Name,', 'Mood,Name,').replace('\n#3', '\nfine,#3'));
    await write('4-again.csv', (text) => `${text}${text.split('\n')[0]}\n`);
    await write('5-empty.csv', (text) => `${text.split('\n')[0]}\n`);
    await write('6-cut.csv', (text) => text.trimEnd());
    const figures = await shop.close();
    expect([figures.exit_code, figures.states[0]?.orders]).toEqual([0, 5]);
    expect(figures.inputs.map(({ notices }) => notices.map(({ message }) => message))).toEqual([
      [],
      [],
      [],
      [],
      ['it has a header and no rows'],
      ['its last line has no end; if the file was cut off, its last record is not whole'],
    ]);
    expect(
      figures.exceptions
        .filter(({ file }) => file.startsWith('exports/'))
        .map(({ severity, code, file }) => `${severity} ${code} ${file}`)
        .sort(),
    ).toEqual([
      'notice no-rows exports/5-empty.csv',
      'notice repeated-header exports/4-again.csv',
      'warning no-final-line-end exports/6-cut.csv',
    ]);
    const rows = await shop.rows('Inputs');
    expect(rows.map((row) => row['Notices'])[4]).toBe('it has a header and no rows');
  });
});

test('a channel of many files in a folder, a pattern and an archive is read whole, each file once', async () => {
  // Files of two orders each that overlap by one; the first of them are in the archive, too.
  const loose = 20;
  const packed = 15;
  const shop = await month({ channel: { files: ['all.zip', 'loose/1*.csv', 'loose'] } });
  const exported = Array.from({ length: loose }, (_, index) => {
    const orders = ordersExport([{ name: `#${index + 1}` }, { name: `#${index + 2}` }]);
    return [`${index + 1}.csv`, orders] as const;
  });
  for (const [name, text] of exported) await shop.write(`loose/${name}`, text);
  const archived = exported.slice(0, packed).map(([name, text]) => [name, Buffer.from(text)]);
  await shop.write('all.zip', await zipOf(Object.fromEntries(archived)));
  const figures = await shop.close();
  const orders = loose + 1;
  const files = loose + packed;
  expect([figures.exit_code, figures.states[0]?.orders, figures.inputs.length]).toEqual([0, orders, files]);
  const total = (pick: keyof Pick<FileFigures, 'rows' | 'used' | 'ignored'>) =>
    figures.inputs.reduce((sum, input) => sum + input[pick], 0);
  expect([total('rows'), total('used'), total('ignored')]).toEqual([2 * files, orders, 2 * files - orders]);
});
