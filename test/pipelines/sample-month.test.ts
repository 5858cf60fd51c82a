import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REASONS } from '../../src/judge/reason.ts';
import { bookFaults } from '../support/book-faults.ts';
import { salesIn, tableRows } from '../support/sheets.ts';
import { filesOf, type Merchant, type Ran, sampleMerchant } from '../support/tieout.ts';

const truth = JSON.parse(
  readFileSync(new URL('../../samples/harbor-and-pine/expected.json', import.meta.url), 'utf8'),
) as {
  readonly states: readonly {
    readonly state: string;
    readonly orders: number;
    readonly collectedCents: number;
    readonly expectedCents: number;
    readonly varianceCents: number;
  }[];
  readonly plants: readonly {
    readonly order: string;
    readonly code: string;
    readonly state: string;
    readonly period: string;
    readonly effectCents: number;
  }[];
  readonly refunds: readonly {
    readonly refund: string;
    readonly state: string;
    readonly period: string;
    readonly kind: string;
    readonly split: { readonly taxCents: number } | null;
  }[];
  readonly desk: readonly {
    readonly id: string;
    readonly kind: string;
    readonly code: string;
    readonly state: string;
    readonly period: string;
    readonly isPosted: boolean;
    readonly collectedCents: number;
    readonly expectedCents: number;
    readonly atStakeCents: number;
  }[];
};

/** What the desk adds to the figures of a state; refunds with their minus sign. */
const deskOf = (state: string) => {
  const own = truth.desk.filter((row) => row.state === state && row.period === '2026-10' && row.isPosted);
  const sum = (figure: 'collectedCents' | 'expectedCents') =>
    own.reduce((total, row) => total + (row.kind === 'refund' ? -row[figure] : row[figure]), 0);
  const count = (kind: string) => own.filter((row) => row.kind === kind).length;
  return {
    orders: count('order'),
    refunds: count('refund'),
    collected: sum('collectedCents'),
    expected: sum('expectedCents'),
  };
};

/** Collected minus expected of a row of the desk, with the sign that Detail has. */
const deskVariance = ({ kind, collectedCents, expectedCents }: (typeof truth.desk)[number]): number =>
  kind === 'refund' ? expectedCents - collectedCents : collectedCents - expectedCents;

const onlyAtTheDesk = (state: string) => {
  const desk = deskOf(state);
  return { state, ...desk, variance: desk.collected - desk.expected };
};

const cents = (value: unknown): number => Math.round(Number(value) * 100);

describe('the sample month', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-sample-'));
  let merchant: Merchant;
  let first: Ran;
  const book = (name: string) => join(merchant.output, 'harbor-and-pine', '2026-10', name);

  beforeAll(async () => {
    merchant = await sampleMerchant(folder);
    first = await merchant.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('closes clean, because what is known is accepted', () => {
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(first.stdout).toContain('exceptions: 0 open, 16 accepted');
    expect(first.stdout).toContain('READY');
  });

  test('every state comes out at the cents of the independent computation', async () => {
    const rows = (await tableRows(book('variance.xlsx'), 'By state')).toSorted((one, other) =>
      `${one['State']}` < `${other['State']}` ? -1 : 1,
    );
    const refunds = truth.refunds.filter(({ kind, period }) => kind === 'full' && period === '2026-10');
    const detail = (await salesIn(book('variance.xlsx'))).filter((row) => row['Posted'] === 'Yes');
    const count = (state: unknown, kind: string) =>
      detail.filter((row) => row['State'] === state && row['Kind'] === kind).length;
    const figures = rows.map((row) => ({
      state: row['State'],
      orders: count(row['State'], 'order'),
      refunds: count(row['State'], 'refund'),
      collected: cents(row['Collected']),
      expected: cents(row['Expected']),
      variance: cents(row['Variance']),
    }));
    expect(figures).toEqual(
      truth.states
        .map((state) => {
          const own = refunds.filter((refund) => refund.state === state.state);
          const back = own.reduce((total, { split }) => total + (split?.taxCents ?? 0), 0);
          const desk = deskOf(state.state);
          const collected = state.collectedCents - back + desk.collected;
          const expected = state.expectedCents - back + desk.expected;
          return {
            state: state.state,
            orders: state.orders + desk.orders,
            refunds: own.length + desk.refunds,
            collected,
            expected,
            variance: collected - expected,
          };
        })
        .concat([onlyAtTheDesk('WI')])
        .sort((left, right) => (left.state < right.state ? -1 : 1)),
    );
  });

  const shown = truth.plants.filter(({ period, code }) => period === '2026-10' && code !== 'R16');

  test.for(shown.map((plant) => [plant.order, plant.code, plant.effectCents] as const))(
    'the plant %s shows in Exceptions as %s with %i cents',
    async ([order, code, effect]) => {
      const rows = await tableRows(book('variance.xlsx'), 'Exceptions');
      const codes = code === 'R18' ? ['R18', 'conflicting-duplicate'] : [code];
      const found = rows.filter(
        (row) => row['Record'] === order.replace('#', '') && codes.includes(String(row['Code'])),
      );
      expect(found.length).toBeGreaterThan(0);
      if (/^R(?!18)\d\d$/.test(code)) expect(cents(found[0]?.['Effect on tax'])).toBe(effect);
    },
  );

  test.for(
    truth.plants
      .filter(({ effectCents }) => effectCents !== 0)
      .map((plant) => [plant.order, plant.code, plant.effectCents] as const),
  )('the variance of %s stands in Detail under %s with %i cents', async ([order, code, effect]) => {
    const rows = await salesIn(book('variance.xlsx'));
    const row = rows.find(
      (candidate) => `#${candidate['Transaction']}` === order && candidate['Kind'] === 'order',
    );
    expect([row?.['Reason'], cents(row?.['Variance'])]).toEqual([code, effect]);
  });

  test('no sale has a variance that was not planted', async () => {
    const rows = await salesIn(book('variance.xlsx'));
    const varied = rows
      .filter((row) => cents(row['Variance']) !== 0)
      .map((row) => String(row['Transaction']));
    const planted = truth.plants
      .filter(({ effectCents }) => effectCents !== 0)
      .map(({ order }) => order.slice(1));
    const desk = truth.desk.filter((row) => row.isPosted && deskVariance(row) !== 0).map(({ id }) => id);
    expect(varied.sort()).toEqual([...planted, ...desk].sort());
  });

  const atTheDesk = truth.desk.filter(({ code, period }) => code !== '' && period === '2026-10');

  test.for(atTheDesk.map((row) => [row.id, row.code, row] as const))(
    'the desk’s %s shows in Exceptions as %s, with its cents in Detail',
    async ([id, code, row]) => {
      const exceptions = await tableRows(book('variance.xlsx'), 'Exceptions');
      const found = exceptions.find((each) => each['Record'] === id && each['Code'] === code);
      expect(found?.['File and line']).toMatch(/^desk_orders\.csv:/);
      if (row.atStakeCents !== 0) expect(cents(found?.['Effect on tax'])).toBe(row.atStakeCents);
      if (!row.isPosted) return;
      const detail = await salesIn(book('variance.xlsx'));
      const line = detail.find((each) => each['Transaction'] === id);
      expect(cents(line?.['Variance'])).toBe(deskVariance(row));
      const parts = ['Reason amount', 'Second amount', 'Third amount'].map((title) =>
        cents(line?.[title] ?? 0),
      );
      expect(parts.reduce((total, part) => total + part, 0)).toBe(deskVariance(row));
      if (deskVariance(row) !== 0) expect(line?.['Reason']).toBe(code);
    },
  );

  test('the desk has a plant for every reason that an export can show, and nothing stays unexplained', async () => {
    const codes = new Set(atTheDesk.map(({ code }) => code));
    const elsewhere = ['R17', 'R19', 'R20', 'R22', 'R26', 'R27', 'R28', 'R29', 'R99'];
    expect(Object.keys(REASONS).filter((code) => !codes.has(code))).toEqual(elsewhere);
    const reasons = await tableRows(book('variance.xlsx'), 'By reason');
    expect(reasons.map((reason) => reason['Code'])).not.toContain('R99');
  });

  test.for(['variance.xlsx', 'filing-summary.xlsx'])(
    'each name of %s is one that Excel takes, and each formula refers to what is there',
    async (name) => {
      expect(await bookFaults(book(name))).toEqual([]);
    },
  );

  test('what a form rounds is R22, and in the Journal', async () => {
    const returns = await tableRows(book('filing-summary.xlsx'), 'Returns');
    const rounded = returns.filter((row) => cents(row['Form rounding']) !== 0);
    expect(rounded.map((row) => row['State'])).toContain('IL');
    const pay = await tableRows(book('filing-summary.xlsx'), 'Pay');
    const whole = pay.map((row) => row['State']);
    const journal = await tableRows(book('filing-summary.xlsx'), 'Journal');
    const entries = journal
      .filter((row) => String(row['What for']).includes('Form rounding'))
      .map((row) => [row['State'], cents(row['Debit']) - cents(row['Credit'])]);
    const posted = rounded.filter((row) => whole.includes(row['State']));
    expect(entries).toEqual(posted.map((row) => [row['State'], cents(row['Form rounding'])]));
  });

  test('a second run asks nothing, sends nothing and leaves every byte as it was', async () => {
    const before = await filesOf(merchant.output);
    const second = await merchant.close(['2026-10', '--json']);
    expect(second.code).toBe(0);
    const figures = JSON.parse(second.stdout) as Record<string, unknown>;
    expect(figures['calculations']).toEqual({
      asked: 0,
      calculated: 286,
      known: 0,
      skipped: 37,
      refused: 0,
      questions: 0,
      questionsMax: 1000,
      cutShort: 0,
    });
    expect(figures['submissions']).toEqual({
      created: 0,
      updated: 0,
      adjusted: 0,
      unchanged: 323,
      refused: 0,
      conflicts: 0,
      withdrawn: 0,
    });
    const after = await filesOf(merchant.output);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [path, bytes] of after) expect(before.get(path)?.equals(bytes), path).toBe(true);
  });
});
