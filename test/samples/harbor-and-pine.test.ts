import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { classifyGroup } from './classify-group.ts';
import {
  cell,
  cents,
  committed,
  expectedOf,
  groupsOf,
  type Row,
  rowsOf,
  SAMPLE_FOLDER,
} from './shopify-file.ts';

const FILES = ['orders_export.csv', 'payment_transactions_export.csv', 'desk_orders.csv', 'expected.json'];
const CONTRADICTED = '#5137';
const REPEATED = '#5102';
const WRONG_STATE = '#5158';

const expected = expectedOf();
const rows = rowsOf('orders_export.csv');
const groups = groupsOf(rows);
const heads = groups.flatMap(({ head }) => (head === undefined ? [] : [head]));
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The repetitions at the end of the file, and the two groups that only a second look can tell. */
const outcomes = groups.map((group, index) => {
  const isSecond = groups.findIndex(({ name }) => name === group.name) < index;
  if (group.name === CONTRADICTED) return 'rejected conflicting-duplicate';
  if (group.name === REPEATED && isSecond) return 'ignored duplicate';
  return group.name === WRONG_STATE ? 'review zip-not-in-state' : classifyGroup(group);
});
const isSale = (index: number): boolean => /^(accepted|warning)/.test(outcomes[index] ?? '');
const sales = groups.flatMap(({ head }, index) => (head !== undefined && isSale(index) ? [head] : []));
const dateOf = (row: Row): string => cell(row, 'Created at').slice(0, 10);

describe('the generator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'harbor-and-pine-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('writes the same bytes when it is run as a program', () => {
    execFileSync(process.execPath, [join(SAMPLE_FOLDER, 'build.ts'), folder]);
    for (const name of FILES) expect(readFileSync(join(folder, name), 'utf8')).toBe(committed(name));
  });
});

describe('the counts of expected.json hold when the file is read without the generator', () => {
  test('groups, rows and reasons of every outcome', () => {
    const counted: Record<string, { groups: number; rows: number; reasons: Record<string, number> }> = {};
    groups.forEach((group, index) => {
      const [kind = '', reason] = (outcomes[index] ?? '').split(' ');
      const entry = counted[kind] ?? { groups: 0, rows: 0, reasons: {} };
      counted[kind] = entry;
      entry.groups += 1;
      entry.rows += group.rows.length;
      if (reason !== undefined) entry.reasons[reason] = (entry.reasons[reason] ?? 0) + 1;
    });
    const { total: all, ...byOutcome } = expected.orders;
    expect(counted).toEqual(byOutcome);
    expect(all).toEqual({ groups: groups.length, rows: rows.length });
  });

  test('sales by period, on the date in the store', () => {
    const counted: Record<string, number> = {};
    for (const head of sales)
      counted[dateOf(head).slice(0, 7)] = (counted[dateOf(head).slice(0, 7)] ?? 0) + 1;
    expect(counted).toEqual(expected.salesByPeriod);
  });
});

describe('October, state by state', () => {
  const stateOf = (head: Row): string => {
    const sold = expected.withoutShipTo.find(({ order }) => order === head['Name']);
    return sold?.state ?? cell(head, 'Shipping Province');
  };
  const october = sales.filter((head) => dateOf(head).startsWith('2026-10'));

  test.for(expected.states)(
    '$state: orders, gross, shipping and collected tax are those of the file',
    (figures) => {
      const own = october.filter((head) => stateOf(head) === figures.state);
      const sum = (column: string) => total(own.map((head) => cents(head[column])));
      expect(own).toHaveLength(figures.orders);
      expect(sum('Subtotal') + sum('Shipping')).toBe(figures.grossCents);
      expect(sum('Shipping')).toBe(figures.shippingCents);
      expect(sum('Taxes')).toBe(figures.collectedCents);
    },
  );

  test.for(expected.states)(
    '$state: only what was planted separates collected from expected tax',
    (figures) => {
      const planted = expected.plants.filter(
        ({ state, period }) => state === figures.state && period === '2026-10',
      );
      expect(figures.collectedCents - figures.expectedCents).toBe(figures.varianceCents);
      expect(total(planted.map(({ effectCents }) => effectCents))).toBe(figures.varianceCents);
      if (!figures.registered) expect(figures.expectedCents).toBe(0);
    },
  );

  test('every sale of the month is in one of the states', () => {
    expect(total(expected.states.map(({ orders }) => orders))).toBe(october.length);
  });
});

describe('taxes that were worked out by hand', () => {
  test.for([
    ['#5156', '5.13', 'Massachusetts taxes 64.00 of a 239.00 parka, and the 18.00 mug, at 6.25 percent'],
    ['#5048', '0.00', 'Massachusetts exempts clothing up to 175.00, and shipping'],
    ['#5229', '3.12', 'Monroe County taxes a 78.00 shirt at 4 percent, New York State does not'],
    ['#5076', '0.00', 'New York City follows the state: four tees at 32.00 are each under 110.00'],
    ['#5281', '16.01', 'from 110.00 on a jacket is taxed in full, 182.95 at 8.75 percent in Buffalo'],
    [
      '#5112',
      '3.21',
      'Savannah: 3 percent on coffee, 7 percent on the bottle, and so on their shares of the shipping',
    ],
    ['#5263', '5.12', 'sold in the shop at Sacramento, 58.50 at 8.75 percent'],
    ['#5010', '10.00', 'Oakland: 92.99 at 10.75 percent, shipping untaxed in California'],
    ['#5310', '14.55', 'Seattle: 137.95 with shipping at 10.55 percent'],
  ] as const)('%s carries %s: %s', ([name, taxes]) => {
    expect(
      cell(
        heads.find((head) => head['Name'] === name),
        'Taxes',
      ),
    ).toBe(taxes);
  });
});
