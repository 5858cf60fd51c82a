import { describe, expect, test } from 'vitest';
import { cell, cents, committed, expectedOf, groupsOf, rowsOf } from './shopify-file.ts';

const expected = expectedOf();
const groups = groupsOf(rowsOf('orders_export.csv'));
const groupsNamed = (name: string) => groups.filter((group) => group.name === name);
const headOf = (name: string) => groupsNamed(name)[0]?.head;
const centsIn = (name: string, column: string): number => cents(cell(headOf(name), column));
const plantOf = (name: string) => expected.plants.find(({ order }) => order === name);

/** The tax on an amount of cents at thousandths of a percent, half a cent upwards. */
const taxOn = (amount: number, rate: number): number => Math.floor((2 * amount * rate + 100_000) / 200_000);

describe('every plant is in the file as the README says', () => {
  test('items 1 to 14 are all there', () => {
    expect(new Set(expected.plants.map(({ item }) => item))).toEqual(
      new Set(Array.from({ length: 14 }, (_, i) => i + 1)),
    );
  });

  test.for([
    ['#5038', 7000, 8000, 'the rate of before April, free shipping'],
    ['#5121', 7000, 8000, 'the rate of before April, on shipping too'],
    ['#5204', 4000, 8000, 'the state rate alone'],
  ] as const)(
    '1: %s, to Macon, was charged at %i instead of %i thousandths of a percent: %s',
    ([name, shop, law]) => {
      const base = centsIn(name, 'Subtotal') + centsIn(name, 'Shipping');
      expect(cell(headOf(name), 'Shipping City')).toBe('Macon');
      expect(centsIn(name, 'Taxes')).toBe(taxOn(base, shop));
      expect(plantOf(name)).toMatchObject({ code: 'R02', effectCents: taxOn(base, shop) - taxOn(base, law) });
    },
  );

  test.for([
    ['#5047', 'CA', 9750],
    ['#5166', 'MA', 6250],
  ] as const)('2: %s, to %s, taxes its shipping', ([name, state, rate]) => {
    const goods = centsIn(name, 'Subtotal');
    const charged = taxOn(goods + centsIn(name, 'Shipping'), rate);
    expect(cell(headOf(name), 'Shipping Province')).toBe(state);
    expect(centsIn(name, 'Taxes')).toBe(charged);
    expect(plantOf(name)).toMatchObject({ code: 'R06', effectCents: charged - taxOn(goods, rate) });
  });

  test.for(['#5072', '#5219'])('3: %s collects tax in Arizona, where the merchant has no nexus', (name) => {
    expect(cell(headOf(name), 'Shipping Province')).toBe('AZ');
    expect(centsIn(name, 'Taxes')).toBeGreaterThan(0);
    expect(plantOf(name)).toMatchObject({ code: 'R10', effectCents: centsIn(name, 'Taxes') });
  });

  test.for([
    ['#5084', 'TX', 8250],
    ['#5190', 'NJ', 6625],
  ] as const)('4: %s collects nothing in %s, where the merchant has nexus', ([name, state, rate]) => {
    const base = centsIn(name, 'Subtotal') + centsIn(name, 'Shipping');
    expect(cell(headOf(name), 'Shipping Province')).toBe(state);
    expect(centsIn(name, 'Taxes')).toBe(0);
    expect(plantOf(name)).toMatchObject({ code: 'R11', effectCents: -taxOn(base, rate) });
  });

  test.for([
    ['#5055', 6250, false, 1],
    ['#5143', 6625, true, -1],
    ['#5251', 6000, true, 1],
  ] as const)('5: %s adds lines that were rounded one by one', ([name, rate, taxesShipping, effect]) => {
    const [group] = groupsNamed(name);
    const lines = (group?.rows ?? []).map(
      (row) => cents(row['Lineitem price']) * Number(row['Lineitem quantity']),
    );
    const units = taxesShipping ? [...lines, centsIn(name, 'Shipping')] : lines;
    const base = units.reduce((sum, unit) => sum + unit, 0);
    const charged = units.reduce((sum, unit) => sum + taxOn(unit, rate), 0);
    expect(centsIn(name, 'Taxes')).toBe(charged);
    expect(charged - taxOn(base, rate)).toBe(effect);
    expect(plantOf(name)).toMatchObject({ code: 'R01', effectCents: effect });
  });

  test('6: #5102 stands in the file twice, cell for cell; #5137 twice, with different content', () => {
    const [first, second, ...more] = groupsNamed('#5102');
    expect(second).toEqual(first);
    expect(more).toEqual([]);
    const [earlier, later, ...others] = groupsNamed('#5137');
    expect(cell(later?.head, 'Total')).not.toBe(cell(earlier?.head, 'Total'));
    expect(others).toEqual([]);
    const repeated = groups.filter(
      ({ name }, index) => groups.findIndex((group) => group.name === name) !== index,
    );
    expect(repeated.map(({ name }) => name)).toEqual(['#5102', '#5137']);
  });

  test('7: #4688 has a continuation row and no head', () => {
    expect(
      groups.filter(({ head }) => head === undefined).map(({ name, rows }) => [name, rows.length]),
    ).toEqual([['#4688', 1]]);
  });

  test.for([
    ['#5093', 'MA', '2139'],
    ['#5177', 'NJ', '7030'],
  ] as const)('8: %s has lost the leading zero of its ZIP in %s', ([name, state, zip]) => {
    expect(cell(headOf(name), 'Shipping Province')).toBe(state);
    expect(cell(headOf(name), 'Shipping Zip')).toBe(zip);
    expect(plantOf(name)).toMatchObject({ outcome: 'warning', effectCents: 0 });
  });

  test.for([
    ['#5009', '2026-09-30 23:40:51 -0700', '2026-09', 'October in UTC'],
    ['#5010', '2026-10-01 00:15:22 -0700', '2026-10', 'the first of the month'],
    ['#5309', '2026-10-31 23:30:00 -0700', '2026-10', 'November in UTC'],
    ['#5310', '2026-11-01 00:10:00 -0700', '2026-11', 'the first of the next'],
  ] as const)('9: %s was placed at %s and belongs to %s: %s', ([name, created, period]) => {
    expect(cell(headOf(name), 'Created at')).toBe(created);
    expect(plantOf(name)).toMatchObject({ code: 'R16', period, effectCents: 0 });
  });

  test('10: #5158 goes to Pennsylvania with a ZIP of New York', () => {
    expect(cell(headOf('#5158'), 'Shipping Province')).toBe('PA');
    expect(cell(headOf('#5158'), 'Shipping Zip')).toBe("'10001");
    expect(plantOf('#5158')).toMatchObject({ outcome: 'review', keptOutCents: centsIn('#5158', 'Total') });
  });

  test.for([
    ['#5066', 'PA', 8000],
    ['#5232', 'NJ', 6625],
  ] as const)('11: %s taxes clothing, and its shipping, in %s', ([name, state, rate]) => {
    const [group] = groupsNamed(name);
    const base = centsIn(name, 'Subtotal') + centsIn(name, 'Shipping');
    expect(group?.rows.every((row) => cell(row, 'Lineitem sku').startsWith('APP-'))).toBe(true);
    expect(cell(headOf(name), 'Shipping Province')).toBe(state);
    expect(centsIn(name, 'Taxes')).toBe(taxOn(base, rate));
    expect(plantOf(name)).toMatchObject({ code: 'R05', effectCents: taxOn(base, rate) });
  });

  test('12: the total of #5115 is a broken formula', () => {
    expect(cell(headOf('#5115'), 'Total')).toBe('#REF!');
  });

  test('13: #5184 has a financial status that Shopify does not know', () => {
    expect(cell(headOf('#5184'), 'Financial Status')).toBe('settled');
  });

  test.for(['#5079', '#5240'])('14: %s goes to Canada and is in Canadian dollars', (name) => {
    expect(cell(headOf(name), 'Shipping Country')).toBe('CA');
    expect(cell(headOf(name), 'Currency')).toBe('CAD');
  });
});

describe('the README', () => {
  const dollars = (amount: number): string =>
    `${amount < 0 ? '-' : ''}${(Math.abs(amount) / 100).toFixed(2)}`;

  test('tells how many rows the two exports have', () => {
    expect(committed('README.md')).toContain(`${expected.orders['total']?.rows} rows, 315 orders`);
    expect(committed('README.md')).toContain(`transactions, ${expected.paymentRows} rows`);
  });

  const table = committed('README.md')
    .split('\n')
    .map((line) => line.split('|').map((text) => text.trim()));

  test.for(expected.plants)('lists $order under item $item with its code and its effect', (plant) => {
    const keptOut = plant.keptOutCents > 0 ? dollars(plant.keptOutCents) : '';
    const line = table.find(([, item, order]) => item === String(plant.item) && order === plant.order);
    expect(line?.slice(4, 7)).toEqual([plant.code, dollars(plant.effectCents), keptOut]);
  });
});

describe('the 25 refunds', () => {
  const refundRows = rowsOf('payment_transactions_export.csv').filter(({ Type }) => Type === 'refund');

  test('20 are full, 5 partial; 4 of September orders in October, 4 of October orders in November', () => {
    const count = (fits: (refund: (typeof expected.refunds)[number]) => boolean) =>
      expected.refunds.filter(fits).length;
    expect(count(({ kind }) => kind === 'full')).toBe(20);
    expect(count(({ kind }) => kind === 'partial')).toBe(5);
    expect(count(({ orderPeriod, period }) => orderPeriod === '2026-09' && period === '2026-10')).toBe(4);
    expect(count(({ orderPeriod, period }) => orderPeriod === '2026-10' && period === '2026-11')).toBe(4);
    expect(refundRows).toHaveLength(25);
  });

  test.for(expected.refunds)(
    '$refund is dated by the payments file, and its amount by both files',
    (refund) => {
      const dated = refundRows.filter(({ Order }) => Order === refund.order);
      expect(dated.map((row) => [cell(row, 'Transaction Date'), cents(row['Amount'])])).toEqual([
        [refund.at, -refund.amountWithTaxCents],
      ]);
      expect(centsIn(refund.order, 'Refunded Amount')).toBe(refund.amountWithTaxCents);
      expect(refund.at > cell(headOf(refund.order), 'Created at')).toBe(true);
      expect(refund.businessDate).toBe(refund.at.slice(0, 10));
    },
  );

  test.for(expected.refunds)(
    '$refund is the mirror of its order when it is full, and smaller when partial',
    (refund) => {
      const { order, kind, split, amountWithTaxCents } = refund;
      expect(cell(headOf(order), 'Financial Status')).toBe(
        kind === 'full' ? 'refunded' : 'partially_refunded',
      );
      if (split === null) {
        expect(amountWithTaxCents).toBeLessThan(centsIn(order, 'Total'));
      } else {
        expect(split).toEqual({
          grossCents: centsIn(order, 'Subtotal') + centsIn(order, 'Shipping'),
          shippingCents: centsIn(order, 'Shipping'),
          taxCents: centsIn(order, 'Taxes'),
        });
        expect(amountWithTaxCents).toBe(centsIn(order, 'Total'));
      }
    },
  );

  test('nothing was refunded that has no date', () => {
    const refunded = groups
      .filter(({ head }) => cents(cell(head, 'Refunded Amount')) > 0)
      .map(({ name }) => name);
    expect(refunded.toSorted()).toEqual(expected.refunds.map(({ order }) => order).toSorted());
  });
});
