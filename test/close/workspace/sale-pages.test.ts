import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putSales, removeSales, salesByKey } from '../../../src/close/workspace/put-sales.ts';
import { endsPage } from '../../../src/close/workspace/sale-page.ts';
import { salePageHeads, salesOfPage } from '../../../src/close/workspace/sale-pages.ts';
import { saleRow } from '../../../src/close/workspace/sale-rows.ts';
import { openWorkspace, type Workspace } from '../../../src/close/workspace/workspace.ts';
import { writeSalePages } from '../../../src/close/workspace/write-sale-pages.ts';
import { connect } from '../../../src/database/connect.ts';
import { calendarDate } from '../../../src/kernel/calendar.ts';
import { money, ZERO } from '../../../src/kernel/money.ts';
import { saleOf } from '../sales/sale-of.ts';

const DAYS = { first: '2026-10-01', last: '2026-10-31' };

/** A sale of a day, which says how often it was put. */
type Said = { readonly id: string; readonly day: string; readonly cents: number };

const keyOf = (id: string): string => `shopify/order/${id}`;

const put = (workspace: Workspace, said: readonly Said[]): Promise<void> => {
  const owner = { entity: workspace.entity, channel: 'shopify', load: 1 };
  const drafts = said.map(({ id, day, cents }) => {
    const businessDate = calendarDate(day);
    const sale = saleOf({ key: keyOf(id), id, businessDate, amount: money(cents), lines: [] });
    return saleRow(owner, sale, { refunded: ZERO, file: 0, controls: '' });
  });
  return workspace.together((within) => putSales(within, drafts));
};

const withWorkspace = async (work: (workspace: Workspace) => Promise<void>): Promise<void> => {
  const database = await connect('sqlite::memory:');
  try {
    await work(await openWorkspace(database, 'shop'));
  } finally {
    await database.close();
  }
};

/** What the pages say, in their order. */
const saidByPages = async (workspace: Workspace): Promise<readonly string[]> => {
  const said: string[] = [];
  for (const head of await salePageHeads(workspace, DAYS)) {
    const sales = await salesOfPage(workspace, head);
    expect(sales).toHaveLength(head.rows);
    for (const { key, sale } of sales) said.push(`${head.day} ${key} ${sale.amount}`);
  }
  return said;
};

const wantedOf = (known: ReadonlyMap<string, Said>): readonly string[] =>
  [...known.values()]
    .map(({ id, day, cents }) => ({ bytes: Buffer.from(`${day} ${keyOf(id)}`), cents }))
    .sort((left, right) => Buffer.compare(left.bytes, right.bytes))
    .map(({ bytes, cents }) => `${bytes.toString()} ${cents}`);

const numbers = Array.from({ length: 6_000 }, (_, index) => String(index));
const id = fc.oneof(
  fc.constantFrom(...numbers.slice(0, 40)),
  // Pages end behind these.
  fc.constantFrom(...numbers.filter((number) => endsPage(keyOf(number)))),
  fc.constantFrom('é', '\uffee', '\u{1f600}', '"', '1/2'),
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.record({ id, day: fc.constantFrom(1, 1, 1, 2) }), { maxLength: 40, size: 'max' }),
  },
  { weight: 1, arbitrary: fc.record({ gone: fc.uniqueArray(id, { maxLength: 5 }) }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 8 }) },
);

test('whatever is put, moved and removed between two writings, the pages and the sales by their keys say what was said last', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12, size: 'max' }), async (steps) =>
      withWorkspace(async (workspace) => {
        const known = new Map<string, Said>();
        let cents = 0;
        for (const what of steps) {
          if (typeof what === 'number') await writeSalePages(workspace, what);
          else if ('gone' in what) {
            for (const one of what.gone) known.delete(one);
            await workspace.together((within) => removeSales(within, what.gone.map(keyOf)));
          } else {
            const said = new Map<string, Said>();
            for (const { id, day } of what) {
              cents += 1;
              said.set(id, { id, day: `2026-10-0${day}`, cents });
            }
            for (const [id, one] of said) known.set(id, one);
            await put(workspace, [...said.values()]);
          }
          const found = await salesByKey(workspace, [...known.keys(), 'no-one'].map(keyOf));
          const amounts = [...known.values()].map((one) => [keyOf(one.id), one.cents]);
          expect(Object.fromEntries([...found].map(([key, { amount }]) => [key, amount]))).toEqual(
            Object.fromEntries(amounts),
          );
        }
        expect(await saidByPages(workspace)).toEqual(wantedOf(known));
      }),
    ),
    { numRuns: 60 },
  );
});

test('a day whose index has a sale that no page states is a defect, and nothing is written', async () => {
  await withWorkspace(async (workspace) => {
    await put(workspace, [{ id: '1', day: '2026-10-01', cents: 1 }]);
    await writeSalePages(workspace);
    const { key: _, ...index } = await workspace.tables
      .selectFrom('sale')
      .selectAll()
      .executeTakeFirstOrThrow();
    await workspace.tables
      .insertInto('sale')
      .values({ ...index, key: keyOf('2') })
      .execute();
    await put(workspace, [{ id: '3', day: '2026-10-01', cents: 3 }]);
    await expect(writeSalePages(workspace)).rejects.toThrow(
      'the index has 3 sales of 2026-10-01, and its pages have 2',
    );
    await expect(workspace.tables.selectFrom('sale_page').select('rows').execute()).resolves.toEqual([
      { rows: 1 },
    ]);
  });
});
