import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { tableRows } from '../support/sheets.ts';
import { writeShop } from '../support/shop.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const HEADER =
  'provider,order_id,transaction_type,transaction_reference_id,completed_at,customer_name,shiptostreet,shiptocity,shiptostate,shiptozip,shiptocountrycode,from_street,from_city,from_state,from_zip,from_country,shipping_amount,handling_amount,discount_amount,total_sale,sales_tax,exemption_type';
const ORDER = 'csv,T-1,,,2026-10-01,,1 Main St,Oakland,CA,94607,US,,,,,,0,,,100.00,10.75,';

type Refund = { readonly amount: string; readonly tax: string; readonly street?: string };
type Figures = {
  readonly exit_code: number;
  readonly submissions: Readonly<Record<string, number>>;
  readonly totals: Readonly<Record<string, string>>;
  readonly exceptions: readonly {
    readonly code: string;
    readonly record: string;
    readonly message: string;
  }[];
};

const shop = async (changedRefunds: 'adjust' | 'review') => {
  const folder = await temporaryFolder();
  await writeShop(folder, ['orders.csv'], [], `policy: { changedRefunds: ${changedRefunds} }\n`);
  const out = join(folder, 'out');
  return {
    folder,
    book: join(out, 'shop', '2026-10', 'variance.xlsx'),
    close: async ({ amount, tax, street = '1 Main St' }: Refund): Promise<Figures> => {
      const refund = `csv,T-1-R,Refund,T-1,2026-10-20,,${street},Oakland,CA,94607,US,,,,,,0,,,-${amount},-${tax},`;
      await writeFile(join(folder, 'orders.csv'), `${HEADER}\n${ORDER}\n${refund}\n`);
      const ran = await tieout([
        'close',
        '2026-10',
        '--config',
        join(folder, 'tieout.yaml'),
        '--output',
        out,
        '--json',
      ]);
      expect(ran.stderr).toBe('');
      return JSON.parse(ran.stdout) as Figures;
    },
  };
};

/** The refunds that the service holds, with amount and tax in dollars. */
const refundsIn = (folder: string): readonly string[] => {
  const ledger = new DatabaseSync(join(folder, '.tieout', 'ledger.db'), { readOnly: true });
  const rows = ledger
    .prepare("select transaction_id, amount, sales_tax from transactions where kind = 'refund' order by 1")
    .all();
  ledger.close();
  return rows.map(
    (row) =>
      `${row['transaction_id']} ${Number(row['amount']) / 10_000} ${Number(row['sales_tax']) / 10_000}`,
  );
};

const FIFTY = { amount: '50.00', tax: '5.38' };

describe('a refund that says something else after it was recorded', () => {
  test('is brought up to its export by further refunds, which count as one record with it', async () => {
    const { folder, book, close } = await shop('adjust');
    expect(await close(FIFTY)).toMatchObject({ exit_code: 0, submissions: { created: 2 } });

    const changed = await close({ amount: '60.00', tax: '6.45' });
    expect(changed).toMatchObject({
      exit_code: 0,
      submissions: { adjusted: 1, unchanged: 1, conflicts: 0 },
      totals: { recorded: '4.30', collected: '4.30' },
    });
    expect(refundsIn(folder)).toEqual(['T-1-R -50 -5.38', 'T-1-R-adj-1 -10 -1.07']);
    const days = await tableRows(book, 'Completeness');
    expect(days.map((day) => [day['Posted'], day['Recorded'], day['Extra'], day['Tax difference']])).toEqual([
      [1, 1, 0, 0],
      [1, 1, 0, 0],
    ]);

    expect((await close({ amount: '60.00', tax: '6.45' })).submissions).toMatchObject({
      adjusted: 0,
      unchanged: 2,
      vanished: 0,
    });
    expect(await close({ amount: '70.00', tax: '7.53' })).toMatchObject({
      exit_code: 0,
      submissions: { adjusted: 1 },
    });
    expect(refundsIn(folder)).toHaveLength(3);
  });

  test('and an adjustment that vanished is made again', async () => {
    const { folder, close } = await shop('adjust');
    await close(FIFTY);
    await close({ amount: '60.00', tax: '6.45' });
    const ledger = new DatabaseSync(join(folder, '.tieout', 'ledger.db'));
    ledger.prepare("delete from transactions where transaction_id = 'T-1-R-adj-1'").run();
    ledger.close();
    expect(await close({ amount: '60.00', tax: '6.45' })).toMatchObject({
      exit_code: 0,
      submissions: { adjusted: 1, vanished: 1 },
    });
    expect(refundsIn(folder)).toEqual(['T-1-R -50 -5.38', 'T-1-R-adj-1 -10 -1.07']);
  });

  test.for([
    ['review', { amount: '60.00', tax: '6.45' }, 'amount', 'the policy leaves every change to a person'],
    ['adjust', { amount: '40.00', tax: '4.30' }, 'amount', 'a refund can only add to what was given back'],
    ['adjust', { amount: '60.00', tax: '5.00' }, 'sales_tax', 'and so can its tax'],
    ['adjust', { ...FIFTY, street: '2 Main St' }, 'to_street', 'a further refund corrects no address'],
  ] as const)('with the policy %s and %j is left to a person: %s', async ([policy, changed, field]) => {
    const { folder, close } = await shop(policy);
    await close(FIFTY);
    const figures = await close(changed);
    expect(figures).toMatchObject({ exit_code: 1, submissions: { adjusted: 0, conflicts: 1 } });
    expect(
      figures.exceptions.filter(
        ({ code, message }) => code === 'recorded-otherwise' && message.startsWith(field),
      ),
    ).toHaveLength(1);
    expect(refundsIn(folder)).toEqual(['T-1-R -50 -5.38']);
  });
});
