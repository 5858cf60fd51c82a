import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableRows } from '../support/sheets.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { tieout } from '../support/tieout.ts';

const SEPTEMBER = '2026-09-10 12:00:00 -0700';
const SEATTLE = { city: 'Seattle', zip: '98101', state: 'WA' };
const PORTLAND = { city: 'Portland', zip: '97201', state: 'OR' };

describe('two months closed one after the other', () => {
  let folder: string;
  let rowsOf: (sheet: string) => ReturnType<typeof tableRows>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tieout-prior-'));
    await writeOrders(folder, 'all.csv', [
      { name: '#1', at: SEPTEMBER },
      { name: '#2', at: SEPTEMBER, price: '50.00', tax: '0.00', to: SEATTLE },
      { name: '#3', at: '2026-10-12 12:00:00 -0700', price: '150.00', tax: '16.13' },
      { name: '#4', at: '2026-10-12 12:00:00 -0700', price: '60.00', tax: '0.00', to: SEATTLE },
    ]);
    await writeOrders(folder, 'market.csv', [
      { name: '#5', at: SEPTEMBER, price: '30.00', tax: '0.00', to: SEATTLE },
      { name: '#6', at: SEPTEMBER, price: '40.00', tax: '0.00', to: PORTLAND },
    ]);
    await writeShop(folder, ['all.csv']);
    const config = join(folder, 'tieout.yaml');
    const text = await readFile(config, 'utf8');
    await writeFile(
      config,
      text
        .replace(
          'refundDates: [] }]',
          'refundDates: [] }, { name: market, profile: shopify.orders, marketplace: true, files: [market.csv] }]',
        )
        .replace(
          'since: "2019-01-01" }]',
          'since: "2019-01-01", prepayments: [{ period: 2026-09, opening: "20.00", added: "5.00" }] }]',
        ),
    );
    const output = join(folder, 'out');
    for (const period of ['2026-09', '2026-10']) {
      const ran = await tieout(['close', period, '--config', config, '--output', output, '--quiet']);
      expect(ran.stderr).toBe('');
    }
    rowsOf = (sheet) => tableRows(join(output, 'shop', '2026-10', 'filing-summary.xlsx'), sheet);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('the second stands beside the first', async () => {
    const [row] = await rowsOf('Prior period');
    expect(row).toMatchObject({
      State: 'CA',
      'Taxable before': 100,
      'Taxable now': 150,
      'Taxable change': 50,
      'Taxable change %': 0.5,
      'Tax before': 10.75,
    });
  });

  test('what the first did not use of its prepayments opens the second', async () => {
    const rows = await rowsOf('Prepayments and credits');
    const account = rows.find((row) => row['Kind'] === 'prepayments');
    // 25.00 were there, and the whole dollars of the form asked for 11.00.
    expect([account?.['Opening'], account?.['Used'], account?.['Closing']]).toEqual([14, 14, 0]);
    expect((await rowsOf('Prior period'))[0]?.['Prepayments carried']).toBe(14);
  });

  test('thresholds count the sales of both months, and those on marketplaces where the state has it so', async () => {
    const rows = await rowsOf('Nexus watch');
    const washington = rows.find((row) => row['State'] === 'WA');
    expect(washington).toMatchObject({
      'All sales': 140,
      'On marketplaces': 30,
      'Sales that count': 140,
      'Marketplace counts': 'Yes',
    });
    const california = rows.find((row) => row['State'] === 'CA');
    expect([california?.['All sales'], california?.['On marketplaces']]).toEqual([250, 0]);
  });
});
