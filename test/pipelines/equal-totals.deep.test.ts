import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceOf } from '../../src/filing/return-figures.ts';
import { type Month, month } from '../support/month.ts';
import {
  ABROAD,
  anyOrder,
  CATEGORIES,
  exportedOrder,
  type RandomOrder,
  requestOf,
  SHIP_FROM,
} from '../support/random-orders.ts';
import type { TableRow, WorkbookTable } from '../support/workbook-tables.ts';

const REGISTERED = ['CA', 'GA', 'MA', 'NY', 'OH', 'PA', 'TX', 'WA', 'WI'];
const SETTINGS = {
  shipFrom: SHIP_FROM,
  registrations: REGISTERED.map((state) => ({ state, since: '2019-01-01' })),
  categories: CATEGORIES,
};

/** Together with the places of every random order, all states that take upload files. */
const MORE_PLACES = [
  ABROAD,
  { state: 'OH', city: 'Columbus', zip: '43215' },
  { state: 'PA', city: 'Philadelphia', zip: '19103' },
  { state: 'WI', city: 'Madison', zip: '53703' },
];

type Case = { readonly order: RandomOrder; readonly isRefunded: boolean; readonly slip: number };

const anyCase: fc.Arbitrary<Case> = fc.record({
  order: fc.oneof(
    anyOrder,
    fc.tuple(anyOrder, fc.constantFrom(...MORE_PLACES)).map(([order, place]) => ({ ...order, place })),
  ),
  isRefunded: fc.boolean(),
  slip: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
});

/** Close a month of these in a new folder. */
const closed = async (cases: readonly Case[]): Promise<Month> => {
  const shop = await month({ orders: [], settings: SETTINGS });
  const orders = await shop.service((service) =>
    Promise.all(
      cases.map(async ({ order, isRefunded, slip }, index) => {
        const { amount_to_collect: tax } = await service.calculateTax(requestOf(order));
        return exportedOrder(`#${index + 1}`, order, { isRefunded, tax: tax + slip });
      }),
    ),
  );
  await shop.change({ orders });
  await shop.close();
  return shop;
};

const cents = (value: unknown): number => Math.round(Number(value ?? 0) * 100);

const AMOUNTS = ['Gross', 'Taxable', 'Collected', 'Expected'] as const;
type Totals = Readonly<Record<(typeof AMOUNTS)[number] | 'Returned', number>>;

/** What Detail adds up to, and nothing else is taken from anywhere: in cents, by state. */
const detailTotals = (rows: readonly TableRow[]): ReadonlyMap<string, Totals> => {
  const total = (of: readonly TableRow[], title: string) =>
    of.reduce((sum, row) => sum + cents(row[title]?.value), 0);
  return new Map(
    [...Map.groupBy(rows, (row) => String(row['State']?.value))].map(([state, own]) => {
      const refunds = own.filter((row) => Number(row['Gross']?.value) < 0);
      const amounts = Object.fromEntries(AMOUNTS.map((title) => [title, total(own, title)]));
      return [
        state,
        { ...(amounts as Record<(typeof AMOUNTS)[number], number>), Returned: -total(refunds, 'Gross') + 0 },
      ];
    }),
  );
};

const NOTHING: Totals = { Gross: 0, Taxable: 0, Collected: 0, Expected: 0, Returned: 0 };

type Books = {
  readonly variance: ReadonlyMap<string, WorkbookTable>;
  readonly filing: ReadonlyMap<string, WorkbookTable>;
  readonly folder: string;
};

const rowsOf = (tables: Books['variance'], name: string): readonly TableRow[] => {
  const table = tables.get(name);
  if (!table) throw new Error(`there is no table ${name}`);
  return table.rows;
};

const rowOf = (
  tables: Books['variance'],
  name: string,
  wanted: Readonly<Record<string, string>>,
): TableRow => {
  const found = rowsOf(tables, name).filter((row) =>
    Object.entries(wanted).every(([title, value]) => row[title]?.value === value),
  );
  expect([name, wanted, found.length]).toEqual([name, wanted, 1]);
  return found[0] ?? {};
};

const checkLead = ({ filing }: Books, state: string, own: Totals): void => {
  const lead = rowOf(filing, 'Returns', { State: state });
  const shown = ['Gross sales', 'Taxable', 'Collected', 'Expected'].map((title) => cents(lead[title]?.value));
  expect([state, ...shown]).toEqual([state, own.Gross, own.Taxable, own.Collected, own.Expected]);
};

/** What a line shows that is one figure, by the words for it. */
const namedSums = (): Readonly<Record<string, (own: Totals) => number>> => {
  const [sales = '', taxable = '', deductions = '', refunds = ''] = (
    ['sales', 'taxable', 'deductions', 'refunds'] as const
  ).map((figure) => sourceOf(figure, { kind: 'state' }));
  return {
    [sales]: ({ Gross }) => Gross,
    [taxable]: ({ Taxable }) => Taxable,
    [deductions]: ({ Gross, Taxable }) => Gross - Taxable,
    [refunds]: ({ Returned }) => Returned,
    [`${sales} + ${refunds}`]: ({ Gross, Returned }) => Gross + Returned,
  };
};

/** A formula says by its end whether it rounds to dollars. */
const rounded = (amount: number, formula = ''): number =>
  formula.endsWith(',0)') ? Math.sign(amount) * Math.round(Math.abs(amount) / 100) * 100 + 0 : amount;

const checkReturn = ({ filing }: Books, state: string, own: Totals): void => {
  const named = namedSums();
  const lines = rowsOf(filing, `Return_${state}`);
  const wordsOf = (line: TableRow): string =>
    String(line['Where the figure comes from']?.value).split('. ')[0] ?? '';
  const tested = lines.filter((line) => wordsOf(line) in named);
  expect(tested.length).toBeGreaterThan(0);
  for (const line of tested) {
    const expected = named[wordsOf(line)]?.(own) ?? Number.NaN;
    const what = [state, line['Line']?.value];
    expect([...what, cents(line['Amount']?.value)]).toEqual([
      ...what,
      rounded(expected, line['Amount']?.formula),
    ]);
  }
  const filed = rowOf(filing, 'Returns', { State: state });
  const [expected = 0, gaps = 0, added = 0, useTax = 0, rounding = 0, tax = 0] = [
    'Expected',
    'Missing rates',
    'Remittance rule',
    'Use tax',
    'Form rounding',
    'On the return',
  ].map((title) => cents(filed[title]?.value));
  const remitted = expected + gaps + added;
  expect([state, remitted]).toEqual([state, Math.max(own.Collected, own.Expected)]);
  expect([state, tax]).toEqual([state, remitted + useTax + rounding]);
};

const lineAmount = ({ filing }: Books, state: string, line: string): number =>
  cents(rowOf(filing, `Return_${state}`, { Line: line })['Amount']?.value);

const sumOf = (rows: readonly (readonly string[])[], column: number): number =>
  rows.reduce((sum, row) => sum + cents(row[column]), 0);

type UploadCheck = (text: string, own: Totals, books: Books) => void;

const csvRows = (text: string): string[][] => parse(text, { relax_column_count: true, relax_quotes: true });

/** What a person who reads the file adds up, against Detail, and where the form rounds, against its return. */
const UPLOADS: Readonly<Record<string, UploadCheck>> = {
  NY: (text, _, books) => {
    const rows = csvRows(text);
    expect(sumOf(rows, 2) - sumOf(rows, 3)).toBe(lineAmount(books, 'NY', '2'));
  },
  PA: (text, own, books) => {
    const rows = csvRows(text);
    const whole = rows.filter((row) => row[2] === '00');
    expect([sumOf(whole, 3), sumOf(whole, 4)]).toEqual([own.Gross, own.Taxable]);
    expect(sumOf(rows, 5)).toBe(
      cents(rowOf(books.filing, 'Return_PA', { 'What to enter': 'Total tax' })['Amount']?.value),
    );
  },
  WA: (text, own) => {
    const lines = text.split('\r\n').map((line) => line.replace('# ', '').split(','));
    const taxed = (line: string) => lines.filter(([tag, code]) => tag === 'TAX' && code === line);
    expect([sumOf(taxed('1'), 3), sumOf(taxed('2'), 3)]).toEqual([own.Gross, own.Gross]);
    expect(sumOf(taxed('45'), 3)).toBe(own.Taxable);
  },
};

const checkUploads = async (books: Books, totals: ReadonlyMap<string, Totals>): Promise<void> => {
  const files = (await readdir(join(books.folder, 'upload'))).sort();
  const stateOf = (file: string): string => file.slice(0, 2);
  expect(files.map(stateOf)).toEqual(Object.keys(UPLOADS));
  for (const file of files) {
    const state = stateOf(file);
    const text = await readFile(join(books.folder, 'upload', file), 'utf8');
    UPLOADS[state]?.(text, totals.get(state) ?? NOTHING, books);
  }
};

const checkTotals = async (shop: Month): Promise<void> => {
  const books: Books = {
    variance: await shop.tables(),
    filing: await shop.tables('2026-10', 'filing-summary'),
    folder: shop.out(),
  };
  const totals = detailTotals(rowsOf(books.variance, 'Detail'));
  expect(await shop.verify()).toEqual([]);
  for (const state of REGISTERED) {
    checkLead(books, state, totals.get(state) ?? NOTHING);
    checkReturn(books, state, totals.get(state) ?? NOTHING);
  }
  await checkUploads(books, totals);
};

const anyMonth = fc.array(anyCase, { minLength: 1, maxLength: 25 });

test('whatever was sold, all files of a month come to the same totals as its Detail, to the cent', async () => {
  await fc.assert(
    fc.asyncProperty(anyMonth, async (cases) => checkTotals(await closed(cases))),
    { numRuns: 4 },
  );
}, 240_000);
