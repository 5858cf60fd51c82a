import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { type Merchant, sampleMerchant, tieout } from '../support/tieout.ts';

type Figures = {
  readonly exceptions: readonly { readonly code: string; readonly record: string; readonly effect: string }[];
  readonly totals: Readonly<Record<string, string>>;
};

const inLedger = ({ folder }: Merchant, script: string): void => {
  const ledger = new DatabaseSync(join(folder, '.tieout', 'ledger.db'));
  ledger.exec(script);
  ledger.close();
};

/** The column names of the ledger's records but the two that make a copy another record. */
const copied = ({ folder }: Merchant): string => {
  const ledger = new DatabaseSync(join(folder, '.tieout', 'ledger.db'), { readOnly: true });
  const rows = ledger.prepare('select name from pragma_table_info(?)').all('transactions');
  ledger.close();
  const names = rows.map((row) => String(row['name']));
  expect(names).toContain('transaction_id');
  return names.filter((name) => name !== 'transaction_id' && name !== 'id').join(', ');
};

test('what no export can show is found in the sample month: lost by the service, put there by others, come late', async () => {
  const merchant = await sampleMerchant();
  // A row of September has lost the row in which its order begins.
  expect((await merchant.close(['2026-09'])).code).toBe(1);
  const where = ['--config', merchant.config, '--output', merchant.output];
  const locked = await tieout(['lock', '2026-09', '--open-exceptions', 'asked for a new export', ...where]);
  expect(locked.code).toBe(0);

  // R17: an order of September that comes with the export of October.
  const orders = join(merchant.folder, 'desk_orders.csv');
  const [, row = ''] = (await readFile(orders, 'utf8'))
    .split('\n')
    .filter((line) => !line.startsWith('D-501,'));
  const late = row.replace(/^D-\d+/, 'D-490').replace(/2026-10-\d\d/, '2026-09-29');
  expect(late).toMatch(/^D-490,sale,,2026-09-29T/);
  await appendFile(orders, `${late}\n`);

  // R19: the service answers that it keeps order 5200, and loses it. R20: somebody else adds a record.
  inLedger(
    merchant,
    `create trigger lose after insert on transactions when new.transaction_id = '5200'
     begin delete from transactions where transaction_id = '5200'; end`,
  );
  expect((await merchant.close()).code).toBe(1);
  inLedger(
    merchant,
    `insert into transactions (transaction_id, ${copied(merchant)})
     select 'stranger', ${copied(merchant)} from transactions where transaction_id = '5201';
     insert into transactions (transaction_id, ${copied(merchant)})
     select 'other-system', ${copied(merchant)} from transactions where transaction_id = '5202';
     update transactions set provider = 'api' where transaction_id = 'other-system'`,
  );
  const open = await merchant.close(['2026-10', '--json']);
  expect({ code: open.code, stderr: open.stderr }).toEqual({ code: 1, stderr: '' });
  const figures = JSON.parse(open.stdout) as Figures;
  const found = (code: string) =>
    figures.exceptions.filter((each) => each.code === code).map(({ record }) => record);
  expect({ R17: found('R17'), R19: found('R19'), R20: found('R20'), R99: found('R99') }).toEqual({
    R17: ['D-490'],
    R19: ['#5200'],
    R20: ['other-system', 'stranger'],
    R99: [],
  });
  expect(figures.totals['unexplained']).toBe('0.00');

  // Once each is settled, the month is clean.
  inLedger(
    merchant,
    "drop trigger lose; delete from transactions where transaction_id in ('stranger', 'other-system')",
  );
  const items = await readFile(join(merchant.output, 'harbor-and-pine', '2026-10', 'open-items.csv'), 'utf8');
  const [key] = /2026-10 R17 of [^",]*D-490 as [0-9a-f]{16}/.exec(items) ?? [];
  await appendFile(join(merchant.folder, 'decisions.csv'), `${key},,Next period,a test\n`);
  const settled = await merchant.close(['2026-10', '--json']);
  expect({ code: settled.code, stderr: settled.stderr }).toEqual({ code: 0, stderr: '' });
  const { exceptions } = JSON.parse(settled.stdout) as Figures;
  const carried = exceptions.filter(({ code }) => code === 'late-filed');
  expect(carried.map(({ record, effect }) => [record, effect])).toEqual([['D-490', '0.00']]);
});
