import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { tableRows } from '../support/sheets.ts';
import { type Merchant, sampleMerchant } from '../support/tieout.ts';

type Figures = {
  readonly submissions: Readonly<Record<string, number>>;
  readonly calculations: Readonly<Record<string, number>>;
  readonly exceptions: readonly {
    readonly code: string;
    readonly record: string;
    readonly message: string;
  }[];
  readonly totals: Readonly<Record<string, string>>;
};

const closed = async (merchant: Merchant, code: number): Promise<Figures> => {
  const ran = await merchant.close(['2026-10', '--json']);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code, stderr: '' });
  return JSON.parse(ran.stdout) as Figures;
};

const inLedger = ({ folder }: Merchant, statement: string, rows = 1) => {
  const ledger = new DatabaseSync(join(folder, '.tieout', 'ledger.db'));
  const { changes } = ledger.prepare(statement).run();
  ledger.close();
  expect(changes).toBe(rows);
};

describe('a month that changes between two runs', () => {
  test('an order that was changed in the shop is updated once, and nothing else is sent', async () => {
    const merchant = await sampleMerchant();
    await closed(merchant, 0);
    const path = join(merchant.folder, 'orders_export.csv');
    const text = await readFile(path, 'utf8');
    const rows = text.split('\n');
    const row = rows.find((line) => line.startsWith('#5050,')) ?? '';
    const sku = /,((?:GEN|OUT|KIT|APP|GRO|BKS)-[A-Z0-9]+),/.exec(row)?.[1] ?? '';
    expect(sku).not.toBe('');
    await writeFile(path, text.replace(row, row.replace(sku, `${sku}X`)));

    const again = await closed(merchant, 0);
    expect(again.submissions).toEqual({
      created: 0,
      updated: 1,
      adjusted: 0,
      unchanged: 322,
      refused: 0,
      conflicts: 0,
      vanished: 0,
    });
  });

  test('a record that vanished from the service is sent again by the next run', async () => {
    const merchant = await sampleMerchant();
    await closed(merchant, 0);
    inLedger(merchant, "delete from transactions where kind = 'order' and transaction_id = '5050'");
    const healed = await closed(merchant, 0);
    expect(healed.submissions).toMatchObject({ created: 1, unchanged: 322, vanished: 1 });
    expect((await closed(merchant, 0)).submissions).toMatchObject({
      created: 0,
      unchanged: 323,
      vanished: 0,
    });
  });

  test('a service that was emptied is filled again by the next run, and asked for nothing again', async () => {
    const merchant = await sampleMerchant();
    await closed(merchant, 0);
    inLedger(merchant, 'delete from transactions', 323);
    const healed = await closed(merchant, 0);
    expect(healed.submissions).toMatchObject({ created: 323, unchanged: 0, vanished: 323 });
    expect(healed.calculations).toMatchObject({ asked: 0 });
  });

  test('a record that somebody else put into the account is an exception, and is never touched', async () => {
    const merchant = await sampleMerchant();
    await closed(merchant, 0);
    const columns = 'account_id, provider, kind, transaction_id, transaction_date';
    const ledger = new DatabaseSync(join(merchant.folder, '.tieout', 'ledger.db'));
    const names = ledger
      .prepare('select name from pragma_table_info(?)')
      .all('transactions')
      .map((row) => String(row['name']));
    expect(columns.split(', ').every((name) => names.includes(name))).toBe(true);
    const rest = names.filter((name) => name !== 'transaction_id' && name !== 'id');
    ledger
      .prepare(
        `insert into transactions (transaction_id, ${rest.join(', ')}) select 'stranger', ${rest.join(', ')} from transactions where kind = 'order' and transaction_id = '5050'`,
      )
      .run();
    ledger.close();
    const figures = await closed(merchant, 1);
    expect(figures.exceptions.filter(({ code }) => code === 'R20')).toMatchObject([{ record: 'stranger' }]);
    const extra = await tableRows(
      join(merchant.output, 'harbor-and-pine', '2026-10', 'variance.xlsx'),
      'Completeness',
    );
    expect(extra.reduce((total, row) => total + Number(row['Extra']), 0)).toBe(1);
  });

  test('a record that was changed in the service differs field by field', async () => {
    const merchant = await sampleMerchant();
    await closed(merchant, 0);
    inLedger(
      merchant,
      "update transactions set sales_tax = sales_tax + 100 where kind = 'order' and transaction_id = '5050'",
    );
    const figures = await closed(merchant, 1);
    expect(figures.exceptions.filter(({ code }) => code === 'recorded-otherwise')).toMatchObject([
      { record: '#5050' },
    ]);
  });

  test('an unexplained variance fails the close', async () => {
    const merchant = await sampleMerchant();
    const path = join(merchant.folder, 'orders_export.csv');
    const rows = (await readFile(path, 'utf8')).split('\n');
    const header = rows[0]?.split(',') ?? [];
    const index = rows.findIndex((row) => row.startsWith('#5050,'));
    const cells = rows[index]?.split(',') ?? [];
    const [taxes, total] = [header.indexOf('Taxes'), header.indexOf('Total')];
    cells[taxes] = (Number(cells[taxes]) + 3.33).toFixed(2);
    cells[total] = (Number(cells[total]) + 3.33).toFixed(2);
    rows[index] = cells.join(',');
    await writeFile(path, rows.join('\n'));
    const figures = await closed(merchant, 1);
    expect(figures.totals['unexplained']).toBe('3.33');
    expect(figures.exceptions[0]).toMatchObject({ code: 'R99', record: '#5050' });
  });
});
