import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

const FILED = ['filed', '2026-10', 'CA', '--on', '2026-11-20', '--confirmation', '4711'];

test('filed writes a line of filings.csv, once a return', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  const refused = async (...words: readonly string[]) => (await shop.run(...words)).stderr;
  expect(await refused(...FILED)).toMatch(/^E_PERIOD_NOT_CLOSED: /);
  await shop.close('2026-10');
  expect(await refused(...FILED.with(2, 'TX'))).toMatch(/^E_FILING: .*\nName one of its returns: CA\.\n/);
  expect(await refused(...FILED, '--paid', '10.75')).toMatch(/^E_USAGE: /);
  await shop.told(0, ...FILED, '--amount', '10.75', '--paid', '10.75', '--paid-on', '2026-11-21');
  expect(await readFile(join(shop.folder, 'filings.csv'), 'utf8')).toBe(
    'entity,period,return,filed on,confirmation,amount,paid,paid on,penalty,interest,checked\r\nshop,2026-10,CA,2026-11-20,4711,10.75,10.75,2026-11-21,,,\r\n',
  );
  expect(await refused(...FILED)).toContain('was filed already, on 2026-11-20');
  const path = join(shop.folder, 'filings.csv');
  await writeFile(path, (await readFile(path, 'utf8')).replace(/,,,\r\n$/, ',1.08,,22; 23\r\n'));
  expect((await shop.run('status', '2026-10')).stdout).toContain('filed on 2026-11-20');
});

test.each([
  ['2026-10;CA;soon;4711', 'filings.csv:2, column "filed on": "soon" is not a day'],
  ['2026-13;CA;2026-11-20;4711', '"2026-13" is not a period'],
  ['2026-10;CA;2026-11-20;1\n2026-10;CA;2026-11-21;2', 'filed twice: filings.csv:2'],
])('a line of filings.csv that cannot be meant stops the command: %s', async (line, message) => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close('2026-10');
  await shop.write('filings.csv', `period;return;filed on;confirmation\n${line}\n`);
  expect((await shop.run(...FILED)).stderr).toContain(message);
});

test('other columns than its own are left alone', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close('2026-10');
  await shop.write('filings.csv', 'period;return;filed on;confirmation\n2026-09;CA;2026-10-20;"47;10"');
  expect((await shop.run(...FILED)).stderr).toMatch(
    /^E_FILING: filings.csv: .*\n.*\n.*\nshop,2026-10,CA,2026-11-20,4711,,,,,,\n/,
  );
});
