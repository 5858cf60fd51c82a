import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TaxRequestInput } from '../../src/contract/tax-request.ts';
import type { TaxResult, UsBreakdown } from '../../src/contract/tax-result.ts';
import { sourceOf } from '../../src/filing/return-form.ts';
import { type Money, money, sum } from '../../src/kernel/money.ts';
import type { EmbeddedTaxService } from '../../src/service/tax-service.ts';
import { withWireCalls } from '../contract/wire-calls.ts';
import type { Figures } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import {
  ABROAD,
  anyOrder,
  CATEGORIES,
  exportedOrder,
  LATELY,
  LATELY_SINCE,
  type RandomOrder,
  requestOf,
  SHIP_FROM,
} from '../support/random-orders.ts';
import { sheetText, type TableRow } from '../support/sheets.ts';
import { OAKLAND, type Order, ordersExport } from '../support/shop-exports.ts';

const SINCE = '2019-01-01';
/** Shopify's export says nothing of exemptions; this shop says so in a tag. */
const PROFILE = `extends: shopify.orders
map: { exemption: [{ when: [{ column: Tags, in: [wholesale] }], type: wholesale }] }
`;
const REGISTERED = ['CA', 'GA', 'MA', 'NY', 'PA', 'TX', 'WA', 'WI'];
/** Together with the places of every random order, all states that take upload files. */
const MORE_PLACES = [
  { state: 'PA', city: 'Philadelphia', zip: '19103' },
  { state: 'WI', city: 'Madison', zip: '53703' },
];
const SETTINGS = {
  shipFrom: SHIP_FROM,
  registrations: [
    ...REGISTERED.map((state) => ({ state, since: SINCE })),
    { state: LATELY.state, since: LATELY_SINCE },
  ],
  categories: CATEGORIES,
};

type Calculate = (request: TaxRequestInput) => Promise<TaxResult>;

/** How a shop comes to another tax than the right one: from the order and its right calculation, in cents. */
type Miscalculation = (order: RandomOrder, right: TaxResult, calculate: Calculate) => Promise<number>;

const linesOf = ({ breakdown }: TaxResult) => (breakdown as UsBreakdown | undefined)?.line_items ?? [];
const instead =
  (change: (request: TaxRequestInput, order: RandomOrder) => Partial<TaxRequestInput>): Miscalculation =>
  async (order, _, calculate) => {
    const request = requestOf(order);
    return (await calculate({ ...request, ...change(request, order) })).amount_to_collect;
  };

/** Those that are proved to the cent by one thing changed, and those that may stay unexplained. */
const PROVABLE = {
  'the state rate alone': async (_, { breakdown }) =>
    (breakdown as UsBreakdown | undefined)?.state_tax_collectable ?? 0,
  'an old rate': instead(() => ({ calculation_date: '2026-03-31' })),
  'the place of the seller': instead(() => ({
    to_state: SHIP_FROM.state,
    to_zip: SHIP_FROM.zip,
    to_city: SHIP_FROM.city,
    to_street: SHIP_FROM.street,
  })),
  'the ZIP alone': instead(() => ({ to_city: undefined, to_street: undefined })),
  'the next ZIP': instead((_, { place }) => ({
    to_zip: String(Number(place.zip) + 1).padStart(5, '0'),
    to_city: undefined,
    to_street: undefined,
  })),
  'categories ignored': instead(({ line_items: lines }) => ({
    line_items: lines?.map((line) => ({ ...line, product_tax_code: undefined })) ?? null,
  })),
  'the prices before discounts': instead(({ line_items: lines }) => ({
    line_items: lines?.map((line) => ({ ...line, discount: '0' })) ?? null,
  })),
  'each line as one item': instead(({ line_items: lines }, order) => ({
    line_items:
      lines?.map((line, index) => ({
        ...line,
        quantity: 1,
        unit_price: (((order.lines[index]?.price ?? 0) * (order.lines[index]?.quantity ?? 0)) / 100).toFixed(
          2,
        ),
      })) ?? null,
  })),
  'lines rounded one by one': async (_, right) =>
    sum([
      ...linesOf(right).map((line) => line.tax_collectable),
      right.breakdown?.shipping?.tax_collectable ?? money(0),
    ]),
  'nothing charged': async () => 0,
} as const satisfies Record<string, Miscalculation>;

const LIKELY = {
  'shipping the other way': async (order, right) => {
    const shipping = right.breakdown?.shipping?.tax_collectable;
    if (shipping !== undefined) return right.amount_to_collect - shipping;
    return right.amount_to_collect + Math.round((order.shipping * right.rate) / 10_000_000);
  },
  'the tax taken out of the price': async (_, right) =>
    Math.round((right.amount_to_collect * 10_000_000) / (10_000_000 + right.rate)),
  'one line forgotten': async (_, right) =>
    right.amount_to_collect - (linesOf(right)[0]?.tax_collectable ?? 0),
  'a slip of the pen': async (_, right) => right.amount_to_collect + 137,
} as const satisfies Record<string, Miscalculation>;

const MISCALCULATIONS: Readonly<Record<string, Miscalculation>> = { ...PROVABLE, ...LIKELY };

/** What happens to a record, and not to its tax. */
const MISHAPS = ['twice in the export', 'foreign record'] as const;

type Case = {
  readonly order: RandomOrder;
  readonly isRefunded: boolean;
  readonly wrong: string;
};

const anySold: fc.Arbitrary<RandomOrder> = fc.oneof(
  { weight: 4, arbitrary: anyOrder },
  fc.tuple(anyOrder, fc.constantFrom(...MORE_PLACES)).map(([order, place]) => ({ ...order, place })),
);

const anyCase: fc.Arbitrary<Case> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ order: anySold, isRefunded: fc.boolean(), wrong: fc.constant('nothing') }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      order: anySold,
      isRefunded: fc.boolean(),
      wrong: fc.constantFrom(...Object.keys(MISCALCULATIONS), ...MISHAPS, 'exempt'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      order: anyOrder.map((order) => ({ ...order, place: ABROAD })),
      isRefunded: fc.boolean(),
      wrong: fc.constant('no nexus'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      order: anyOrder.map((order) => ({ ...order, place: LATELY, day: Math.min(order.day, 19) })),
      isRefunded: fc.boolean(),
      wrong: fc.constant('not registered yet'),
    }),
  },
);

type Made = {
  readonly name: string;
  readonly wrong: string;
  readonly tax: number;
  readonly right: Money;
  readonly exported: Order;
};

const rightTax = async (order: RandomOrder, wrong: string, calculate: Calculate): Promise<TaxResult> => {
  const request = requestOf(order);
  const nexus = { nexus_addresses: [{ country: 'US', state: order.place.state }] };
  return calculate(
    wrong === 'no nexus' || wrong === 'not registered yet' ? { ...request, ...nexus } : request,
  );
};

const made = async (cases: readonly Case[], calculate: Calculate): Promise<readonly Made[]> =>
  Promise.all(
    cases.map(async ({ order, isRefunded, wrong }, index) => {
      const answer = await rightTax(order, wrong, calculate);
      const tax = (await MISCALCULATIONS[wrong]?.(order, answer, calculate)) ?? answer.amount_to_collect;
      const isNothingDue = ['no nexus', 'not registered yet', 'exempt'].includes(wrong);
      const right = isNothingDue ? money(0) : answer.amount_to_collect;
      const name = `#${index + 1}`;
      const exported = exportedOrder(name, order, { tax, isRefunded });
      return {
        name,
        wrong,
        tax,
        right,
        exported: wrong === 'exempt' ? { ...exported, tags: 'wholesale' } : exported,
      };
    }),
  );

const idOf = ({ name }: Made): string => name.slice(1);

/** Before the close, somebody else adds records to the service. */
const meddle = async (service: EmbeddedTaxService, orders: readonly Made[]): Promise<void> => {
  for (const order of orders.filter(({ wrong }) => wrong === 'foreign record')) {
    const { to = OAKLAND } = order.exported;
    await withWireCalls(service).createOrder({
      transaction_id: `x${idOf(order)}`,
      transaction_date: '2026-10-15T12:00:00Z',
      provider: 'shopify',
      to_country: 'US',
      to_state: to.state,
      to_zip: to.zip,
      amount: '10.00',
      shipping: '0.00',
      sales_tax: '0.99',
    });
  }
};

type Row = Awaited<ReturnType<Month['rows']>>[number];

const cents = (value: unknown): number => Math.round(Number(value ?? 0) * 100);
const total = (rows: readonly Row[], ...titles: readonly string[]): number =>
  rows.reduce((amount, row) => amount + titles.reduce((own, title) => own + cents(row[title]), 0), 0);

const REASONS = ['Reason amount', 'Second amount', 'Third amount'];

type LoggedSale = {
  readonly sale: {
    readonly kind: string;
    readonly id: string;
  };
  readonly reconciled: {
    readonly reasons: readonly { readonly amount: Money }[];
    readonly levels: readonly {
      readonly tax: Money;
      readonly collected: Money;
    }[];
    readonly lines: readonly {
      readonly expected: Money;
      readonly collected: Money;
    }[];
  };
};

/** Explained and unexplained amounts are the difference: sale by sale, state by state, and in total. */
const checkSums = async (shop: Month): Promise<void> => {
  const detail = await shop.detail();
  const logged = new Map(
    (await shop.sales<LoggedSale>()).map(({ sale, reconciled }) => [`${sale.kind} ${sale.id}`, reconciled]),
  );
  for (const row of detail) {
    const collected = cents(row['Collected']);
    const expected = cents(row['Expected']);
    expect(total([row], ...REASONS)).toBe(collected - expected);
    const {
      reasons = [],
      levels = [],
      lines = [],
    } = logged.get(`${row['Kind']} ${row['Transaction']}`) ?? {};
    expect(sum(reasons.map(({ amount }) => amount))).toBe(collected - expected);
    expect(sum(levels.map(({ tax }) => tax))).toBe(expected);
    expect(sum(levels.map((level) => level.collected))).toBe(collected);
    if (lines.length === 0) continue;
    expect(sum(lines.map((line) => line.collected))).toBe(collected);
    expect(sum(lines.map((line) => line.expected))).toBe(expected);
  }
  const states = await shop.rows('By state');
  const jurisdictions = await shop.rows('By jurisdiction');
  for (const state of states) {
    const of = (rows: readonly Row[]) => rows.filter((row) => row['State'] === state['State']);
    expect(total(of(detail), ...REASONS)).toBe(cents(state['Collected']) - cents(state['Expected']));
    expect(total(of(jurisdictions), 'Expected')).toBe(cents(state['Expected']));
    expect(total(of(jurisdictions), 'Collected')).toBe(cents(state['Collected']));
  }
  expect(total(await shop.rows('By_reason'), 'Over', 'Under')).toBe(
    total(states, 'Collected') - total(states, 'Expected'),
  );
};

const FINDING_OF: Readonly<Record<string, string>> = {
  'twice in the export': 'R18',
  'foreign record': 'R20',
};

/** Causes of a variance that a person is asked about: nothing was due, no certificate, unexplained. */
const ASKED: readonly string[] = ['R08', 'R10', 'R99'];

/** Nothing goes unreported, and nothing that is right is reported. */
const checkReported = async (shop: Month, orders: readonly Made[]): Promise<void> => {
  const exceptions = (await shop.rows('Exceptions')).map((row) => ({
    code: String(row['Code']),
    record: String(row['Record']),
    isError: row['Severity'] === 'error',
    effect: cents(row['Effect on tax']),
  }));
  for (const order of orders) {
    const { name, wrong, tax, right } = order;
    const own = exceptions.filter(({ record }) =>
      [name, idOf(order), `${idOf(order)}-refund`, `x${idOf(order)}`].includes(record),
    );
    const finding = FINDING_OF[wrong];
    if (finding !== undefined) expect(own.map(({ code }) => code)).toContain(finding);
    const errors = own
      .filter(({ isError, code }) => isError && !ASKED.includes(code))
      .map(({ code }) => code);
    expect({ order, errors }).toEqual({ order, errors: errors.filter((code) => code === finding) });
    const amounts = own.filter(({ code, effect }) => /^R/.test(code) && code !== 'R20' && effect !== 0);
    expect({ order, reported: amounts.length > 0 }).toEqual({ order, reported: tax !== right });
    if (wrong in PROVABLE || wrong === 'no nexus' || wrong === 'not registered yet' || wrong === 'exempt')
      expect({ order, codes: amounts.map(({ code }) => code) }).not.toMatchObject({ codes: ['R99'] });
  }
};

const AMOUNTS = ['Gross', 'Taxable', 'Collected', 'Expected'] as const;
type Totals = Readonly<Record<(typeof AMOUNTS)[number] | 'Returned', number>>;
const NOTHING: Totals = { Gross: 0, Taxable: 0, Collected: 0, Expected: 0, Returned: 0 };

/** What Detail adds up to, and nothing else is taken from anywhere: in cents, by state. */
const detailTotals = (rows: readonly Row[]): ReadonlyMap<string, Totals> =>
  new Map(
    [...Map.groupBy(rows, (row) => String(row['State']))].map(([state, own]) => {
      const amounts = Object.fromEntries(AMOUNTS.map((title) => [title, total(own, title)]));
      const refunds = own.filter((row) => Number(row['Gross']) < 0);
      return [state, { ...NOTHING, ...amounts, Returned: -total(refunds, 'Gross') + 0 }];
    }),
  );

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

/** The lead sheet and the return of a state come to what Detail adds up to. */
const checkReturn = (
  state: string,
  own: Totals,
  returns: readonly Row[],
  lines: readonly TableRow[],
): void => {
  const lead = returns.find((row) => row['State'] === state);
  const shown = ['Gross sales', 'Taxable', 'Collected', 'Expected'].map((title) => cents(lead?.[title]));
  expect([state, ...shown]).toEqual([state, own.Gross, own.Taxable, own.Collected, own.Expected]);
  const named = namedSums();
  const wordsOf = (line: TableRow): string =>
    String(line['Where the figure comes from']?.value).split('. ')[0] ?? '';
  const tested = lines.filter((line) => wordsOf(line) in named);
  expect(tested.length).toBeGreaterThan(0);
  for (const line of tested) {
    const what = [state, line['Line']?.value];
    const amount = rounded(named[wordsOf(line)]?.(own) ?? Number.NaN, line['Amount']?.formula);
    expect([...what, cents(line['Amount']?.value)]).toEqual([...what, amount]);
  }
  const part = (title: string): number => cents(lead?.[title]);
  const remitted = part('Expected') + part('Missing rates') + part('Remittance rule');
  if (part('Missing rates') === 0)
    expect([state, remitted]).toEqual([state, Math.max(own.Collected, own.Expected)]);
  const tax = remitted + part('Use tax') + part('Form rounding');
  expect([state, part('On the return')]).toEqual([state, tax]);
};

const sumOf = (rows: readonly (readonly string[])[], column: number): number =>
  rows.reduce((sum, row) => sum + cents(row[column]), 0);

/** What a person who reads the upload file of Washington adds up, against Detail. */
const checkUpload = (text: string, own: Totals): void => {
  const lines = text.split('\r\n').map((line) => line.replace('# ', '').split(','));
  const taxed = (line: string) => lines.filter(([tag, code]) => tag === 'TAX' && code === line);
  expect([sumOf(taxed('1'), 3), sumOf(taxed('2'), 3)]).toEqual([own.Gross, own.Gross]);
  expect(sumOf(taxed('45'), 3)).toBe(own.Taxable);
};

/** All files of the month come to the totals of its Detail. */
const checkTotals = async (shop: Month): Promise<void> => {
  const totals = detailTotals(await shop.rows('Detail'));
  const filing = await shop.tables('2026-10', 'filing-summary');
  const returns = await shop.rows('Returns', '2026-10', 'filing-summary');
  const linesOf = (state: string) => filing.get(`Return_${state}`)?.rows ?? [];
  for (const state of REGISTERED) checkReturn(state, totals.get(state) ?? NOTHING, returns, linesOf(state));
  const folder = join(shop.out(), 'upload');
  const [file = '', ...others] = await readdir(folder);
  expect([file.slice(0, 2), others]).toEqual(['WA', []]);
  checkUpload(await readFile(join(folder, file), 'utf8'), totals.get('WA') ?? NOTHING);
};

/** Every place that shows readiness shows the same, and the parts of the variance are the variance. */
const checkReadiness = async (
  shop: Month,
  { exit_code: code, readiness, totals, reasons: found }: Figures,
): Promise<void> => {
  const { ready, reasons } = readiness;
  expect([code, ready]).toEqual(reasons.length === 0 ? [0, true] : [1, false]);
  const status = await shop.told<{ periods: (typeof readiness)[] }>(0, 'status');
  expect(status.periods).toMatchObject([{ readiness }]);
  expect((await shop.manifest()).content.leaves.readiness.ready).toBe(ready);
  for (const [name, front] of [
    ['variance', 'Decide'],
    ['filing-summary', 'Pay'],
  ] as const) {
    const verdict = ready ? /✓ READY/ : /✕ NOT READY/;
    expect(await sheetText(shop.book('2026-10', name), front)).toMatch(verdict);
  }
  const page = await shop.read('out/shop/2026-10/report.html');
  expect(page).toMatch(
    ready ? /card good"><span>[^<]*<\/span><b>✓ READY/ : /card bad"><span>[^<]*<\/span><b>✕ NOT READY/,
  );
  // What is unexplained is told without signs among the totals, and with them by reason.
  const unexplained = found.find(({ code }) => code === 'R99');
  const parts = [totals['seller_errors'], totals['tieout_gaps'], unexplained?.over, unexplained?.under];
  expect(parts.reduce((sum, part) => sum + cents(part), 0)).toBe(cents(totals['variance']));
};

const closeOnce = async (cases: readonly Case[]): Promise<void> => {
  const shop = await month({ orders: [], channel: { profile: './tagged.yaml' }, settings: SETTINGS });
  await shop.write('tagged.yaml', PROFILE);
  const orders = await shop.service(({ calculateTax }) => made(cases, calculateTax));
  const exported = orders.map((order) => order.exported);
  await shop.change({ orders: exported });
  const again = exported.filter((_, index) => orders[index]?.wrong === 'twice in the export');
  await shop.write('orders.csv', ordersExport([...exported, ...again]));
  await shop.service((service) => meddle(service, orders));
  const figures = await shop.close();
  await checkSums(shop);
  await checkReported(shop, orders);
  await checkTotals(shop);
  await checkReadiness(shop, figures);
  expect(await shop.verify()).toEqual([]);
};

test('whatever happens in a month is reported, every cent of it has its place, and all files come to the same totals', async () => {
  await fc.assert(fc.asyncProperty(fc.array(anyCase, { minLength: 1, maxLength: 24 }), closeOnce), {
    numRuns: 9,
  });
}, 240_000);

test('a month whose entries do not fit in memory leaves nothing beside its books', async () => {
  const orders = Array.from({ length: 1_500 }, (_, index) => ({ name: `#${index}` }));
  const shop = await month({ orders });
  await shop.write('.tieout/parts/left', 'by a killed run');
  await shop.close();
  expect(await shop.verify()).toEqual([]);
  await expect(shop.read('.tieout/parts/left')).rejects.toThrow('ENOENT');
});
