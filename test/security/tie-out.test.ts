import { expect, test } from 'vitest';
import { readManifest, recompute } from '../../src/evidence/verify-files.ts';
import { money } from '../../src/kernel/money.ts';
import { failingTies } from '../entry/close.ts';
import { lockClosed } from '../support/decisions.ts';
import { month } from '../support/month.ts';

const QUARTER = '2025-Q3';
const orders = [
  { name: '#1', at: '2025-07-10', tax: '10.25' },
  { name: '#2', at: '2025-08-10', tax: '10.25' },
  { name: '#3', at: '2025-09-10', tax: '10.25' },
];
const october = { name: '#5', at: '2025-10-10', tax: '10.25' };
const late = { name: '#4', at: '2025-08-20', tax: '10.25' };
const settings = { registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }] };

const reportIn = async (folder: string) => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') throw new Error(manifest);
  const found = await recompute(folder, manifest, `${folder}/../detail`, new Set());
  if (typeof found === 'string') throw new Error(found);
  return found.report;
};

test('the schedule from the exports to the tax charged ties in a quarter over locked months, with what is late in them as a line, and is open where a tax or a file is wrong', async () => {
  const shop = await month({ orders, settings });
  await lockClosed(shop, '2025-07', '2025-08', '2025-09');
  await shop.change({ orders: [...orders, late, october] });
  const { readiness } = await shop.close(QUARTER);
  expect(readiness.ready).toBe(true);
  const rows = await shop.rows('Tie_out', QUARTER);
  const taxOf = (words: string) => rows.find((row) => String(row['What']).startsWith(words))?.['Tax'];
  const words = ['Tax in the exports', 'Less: late sales not decided yet', 'Tax charged'];
  expect(words.map(taxOf)).toEqual([51.25, -10.25, 30.75]);
  expect(await shop.verify(QUARTER)).toEqual([]);

  expect(failingTies(await reportIn(shop.out(QUARTER)))).toEqual([]);

  await shop.close('2025-10');
  const report = await reportIn(shop.out('2025-10'));
  expect(failingTies(report)).toEqual([]);
  const inputs = report.inputs.map((input) => ({ ...input, orderTax: { '2025-10-10': money(1_024) } }));
  expect(failingTies({ ...report, inputs })).toEqual(['C04']);
  expect(failingTies({ ...report, inputs: [] })).toEqual(['C04', 'I03']);
});
