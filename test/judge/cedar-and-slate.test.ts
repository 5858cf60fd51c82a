import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { accept } from '../../src/contract/accept.ts';
import { TaxRequest } from '../../src/contract/tax-request.ts';
import { calculateTax } from '../../src/engine/calculate-tax.ts';
import { levelFiguresOf } from '../../src/judge/level-figures.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { sum } from '../../src/kernel/money.ts';
import type { Place, Sale } from '../../src/sales/sale.ts';
import { taxRequestOf } from '../../src/sales/service-records.ts';
import { sharedFolder, tieout } from '../support/tieout.ts';

const FOLDER = fileURLToPath(new URL('../../samples/cedar-and-slate', import.meta.url));
const PORTLAND: Place = {
  country: 'US',
  state: 'OR',
  zip: '97204',
  city: 'Portland',
  street: '1221 SW 4th Avenue',
};

const content = loadContent();
const answerTo = (sale: Sale) =>
  calculateTax({
    request: accept(TaxRequest, {
      ...taxRequestOf(sale, PORTLAND),
      nexus_addresses: [{ id: '1', ...sale.shipTo }],
    }),
    seller: { nexus: [] },
    content,
    asOf: calendarDate('2026-10-31'),
  });

const folder = sharedFolder();
let sales: readonly Sale[] = [];

/** The orders of the shop as a close has read them. */
beforeAll(async () => {
  await cp(FOLDER, folder, { recursive: true });
  const output = join(folder, 'out');
  await tieout(['close', '2026-10', '--config', join(folder, 'tieout.yaml'), '--output', output]);
  const { stdout } = await tieout(['show', join(output, 'cedar-and-slate/2026-10'), '--json']);
  sales = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly sale: Sale }).sale)
    .filter(({ origin }) => origin.file === 'orders_export.csv');
  expect(sales).toHaveLength(48);
});

test('the levels of each sale add up, and differ from the expected by a cent where nothing is missing', () => {
  for (const sale of sales) {
    const result = answerTo(sale);
    const levels = levelFiguresOf(result, {
      collected: sale.salesTax,
      taxLines: sale.taxLines,
      model: undefined,
      state: sale.shipTo.state,
    });
    expect(sum(levels.map(({ collected }) => collected))).toBe(sale.salesTax);
    expect(sum(levels.map(({ tax }) => tax))).toBe(result.amount_to_collect);
    if (sale.id === '3047') continue;
    for (const { tax, collected, taxable } of levels)
      if (taxable !== 0) expect(Math.abs(collected - tax)).toBeLessThanOrEqual(1);
  }
});
