import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, money, sum } from '../../src/kernel/money.ts';
import { isSalesProfile, shippedProfiles } from '../../src/sales/detect-profile.ts';
import { rowReader } from '../../src/sales/row-reader.ts';
import { taxLineReader } from '../../src/sales/tax-lines.ts';

type Row = Readonly<Record<string, string>>;

/** The lines that a shipped profile reads from rows of these cells. */
const read = (id: string, rows: readonly Row[], sign: 1 | -1 = 1) => {
  const profile = shippedProfiles()
    .filter(isSalesProfile)
    .find((one) => one.id === id);
  if (!profile) throw new Error(`there is no profile ${id}`);
  const form = { money: profile.locale, nullTokens: profile.file.nullTokens };
  const columns = [...profile.columns];
  const cells = rowReader(columns, form);
  const reader = taxLineReader(profile, columns, cells, form);
  return reader(
    rows.map((row, index) => ({
      line: index + 2,
      cells: columns.map((column) => row[column] ?? ''),
    })),
    sign,
  );
};

const shown = (...args: Parameters<typeof read>) =>
  read(...args).lines.map(
    ({ name, rate: stated, amount, kind, place }) =>
      `${name} | ${kind} | ${place} | ${stated} | ${formatMoney(amount)}`,
  );

describe('lines of tax are read', () => {
  test('from the numbered columns of Shopify, once for an order whose cells are repeated', () => {
    const row = {
      'Tax 1 Name': 'California State Tax 6%',
      'Tax 1 Value': '141.02',
      'Tax 2 Name': 'Los Angeles County District Tax Sp 2.5%',
      'Tax 2 Value': '58.76',
      'Tax 5 Name': 'Lynwood City Tax 1%',
      'Tax 5 Value': '23.50',
    };
    expect(shown('shopify.orders', [row, row])).toEqual([
      'California State Tax | state | California | 600000 | 141.02',
      'Los Angeles County District Tax Sp | special | Los Angeles County | 250000 | 58.76',
      'Lynwood City Tax | city | Lynwood | 100000 | 23.50',
    ]);
  });

  test('from the packed taxes of WebToffee, in the form of each edition', () => {
    const packed =
      'rate_id:4|code:US-FL-MIAMI-DADE HOMESTEAD : COUNTY TAX-2|total:1.00|label:COUNTY TAX|tax_rate_compound:|rate_percent:1;rate_id:9|code:US-FL : STATE SALES TAX-4|total:6.00|label:State Sales Tax|tax_rate_compound:';
    expect(shown('woo.webtoffee', [{ tax_items: packed }])).toEqual([
      'US-FL-MIAMI-DADE HOMESTEAD : COUNTY TAX-2 | county | MIAMI-DADE HOMESTEAD | 100000 | 1.00',
      'US-FL : STATE SALES TAX-4 | state | FL | null | 6.00',
    ]);
  });

  test.for(['#REF!', '1.2.3', '99999999999.99', '1e9'])('and %s in one of them is a remark', (value) => {
    const { lines, findings } = read('shopify.orders', [
      { 'Tax 1 Name': 'State Tax 6%', 'Tax 1 Value': '6.00', 'Tax 2 Name': 'City Tax', 'Tax 2 Value': value },
    ]);
    expect(lines.map(({ amount }) => amount)).toEqual([600]);
    expect(findings).toEqual([expect.objectContaining({ code: 'tax-line-unreadable' })]);
  });

  test('and nothing is lost or made: they come to what the cells come to, whatever is in the names', () => {
    const anyTax = fc.record({
      name: fc.oneof(fc.string(), fc.constantFrom('State Tax 6%', 'CA STATE TAX', 'Tax 5% + 2%')),
      cents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(anyTax, { maxLength: 5 }), (taxes) => {
        const row = Object.fromEntries(
          taxes.flatMap(({ name, cents }, index) => [
            [`Tax ${index + 1} Name`, name],
            [`Tax ${index + 1} Value`, formatMoney(money(cents))],
          ]),
        );
        const { lines, findings } = read('shopify.orders', [row]);
        expect(findings).toEqual([]);
        expect(sum(lines.map(({ amount }) => amount))).toBe(sum(taxes.map(({ cents }) => money(cents))));
      }),
    );
  });
});
