import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { writePackage } from '../../src/workbook/write-workbook.ts';
import { amendLate, lockClosed } from '../support/decisions.ts';
import { recalculate, testWithLibreOffice, unconfirmed } from '../support/libreoffice.ts';
import { month } from '../support/month.ts';
import { readPackage } from '../support/read-package.ts';
import { type Order, SEATTLE } from '../support/shop-exports.ts';
import { type Merchant, sampleMerchant, tieout } from '../support/tieout.ts';

const edit = async (path: string, ...edits: readonly (readonly [string, string])[]): Promise<void> => {
  let text = await readFile(path, 'utf8');
  for (const [from, to] of edits) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  await writeFile(path, text);
};

describe('the books of two months of the sample', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-books-'));
  let merchant: Merchant;

  beforeAll(async () => {
    merchant = await sampleMerchant(folder);
    // Certificates whose names are one number to a spreadsheet, and totals that the shop shows.
    await edit(join(folder, 'certificates.csv'), ['RES-0207', '06037'], ['RES-0208', '6037']);
    await edit(merchant.config, [
      'files: [desk_orders.csv]',
      'files: [desk_orders.csv]\n    expected: [{ period: 2026-10, orders: 4, gross: "140.00" }]',
    ]);
    const options = ['--config', merchant.config, '--output', merchant.output];
    const ran = await tieout(['backfill', '2026-09..2026-10', ...options]);
    expect(ran.stderr).toBe('');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const recalculated = async (book: string) => {
    const cells = await recalculate(join(merchant.output, 'harbor-and-pine', '2026-10', book));
    expect(unconfirmed(cells)).toEqual([]);
    return new Set(cells.map(({ place }) => place.split('!')[0]));
  };

  testWithLibreOffice('the variance book recalculates to its cached values', async () => {
    const sheets = await recalculated('variance.xlsx');
    for (const sheet of ['Certificates', 'Tie-out', 'By state']) expect(sheets).toContain(sheet);
  });

  testWithLibreOffice('and so it does where files list the sales and Detail adds them up', async () => {
    await edit(merchant.config, ['policy:\n', 'policy:\n  detailRows: 100\n']);
    const options = ['--config', merchant.config, '--output', merchant.output];
    expect(await tieout(['close', '2026-10', ...options])).toMatchObject({ stderr: '' });
    expect(await recalculated('variance.xlsx')).toContain('Tie-out');
  });

  /** The crosses of Tie-out in a copy of the variance book that was changed at one place. */
  const crosses = async (change: RegExp, into: string) => {
    const path = join(merchant.output, 'harbor-and-pine', '2026-10', 'variance.xlsx');
    const forged = join(folder, 'forged.xlsx');
    const files = [...(await readPackage(await readFile(path)))];
    expect(files.filter(([, content]) => change.test(content.toString()))).toHaveLength(1);
    await writePackage(
      forged,
      files.map(([file, content]) => ({
        path: file,
        pieces: [Buffer.from(content.toString().replace(change, into))],
      })),
    );
    const ticks = (await recalculate(forged)).filter(({ recalculated: shown }) => shown === '✕');
    return ticks.map(({ place, cached }) => `${place} ${cached}`);
  };

  testWithLibreOffice('a forged figure of By state makes the tick of Tie-out a cross', async () => {
    const formula = /<f>SUMIFS\(Detail\[Collected\][^<]*<\/f><v>1037\.27<\/v>/;
    expect(await crosses(formula, '<v>9037.27</v>')).toEqual(['Tie-out!F16 ✓', 'Tie-out!F17 ✓']);
  });

  testWithLibreOffice('a forged control total makes the tick of the tax charged a cross', async () => {
    const stated = /<f>ROUND\(SUMIFS\(Control_totals\[In the file\][^<]*<\/f><v>[^<]*<\/v>/;
    expect(await crosses(stated, '<v>3888.6</v>')).toContain('Tie-out!F13 ✓');
  });

  testWithLibreOffice('the summary for the filing recalculates to its cached values', async () => {
    expect(await recalculated('filing-summary.xlsx')).toContain('Returns');
  });
});

testWithLibreOffice('the summary of an amended version recalculates to what is left to pay', async () => {
  const order: Order = { name: '#1', to: SEATTLE, tax: '10.55' };
  const shop = await month({
    orders: [order, { name: '#2' }],
    settings: {
      registrations: [
        { state: 'WA', since: '2019-01-01' },
        { state: 'CA', since: '2019-01-01' },
      ],
    },
  });
  await lockClosed(shop, '2026-10');
  await shop.change({ orders: [order, { name: '#2' }, { ...order, name: '#3' }] });
  await amendLate(shop, '2026-10', '2026-11');
  const cells = await recalculate(join(shop.out('2026-10-amended-1'), 'filing-summary.xlsx'));
  expect(unconfirmed(cells)).toEqual([]);
  const returns = await shop.rows('Returns', '2026-10-amended-1', 'filing-summary');
  const { 'Filed before': before, 'To pay': toPay } = returns.find(({ State }) => State === 'WA') ?? {};
  expect([before, toPay]).toEqual([-10.55, 10.55]);
});
