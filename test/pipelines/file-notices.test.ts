import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { ordersExport } from '../support/shop-exports.ts';
import { closeManyFiles } from './many-files.ts';

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
    const rows = await shop.rows('Inputs');
    expect(rows.map((row) => row['Notices'])[1]).toBe('read as Windows-1252 text');
  });
});

test('a channel of many files in a folder, a pattern and an archive is read whole, each file once', () =>
  closeManyFiles({ loose: 20, packed: 15 }));
