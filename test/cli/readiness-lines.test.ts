import { expect, test } from 'vitest';
import { withWireCalls } from '../contract/wire-calls.ts';
import { month } from '../support/month.ts';

test('a close names where each record stands, what each line of a contradiction says, and what to do under its cause', async () => {
  const shop = await month({
    orders: [
      { name: '#1' },
      { name: '#2', total: '111.75' },
      { name: '#3', total: '112.75' },
      { name: '#4' },
      { name: '#5' },
      { name: '#4', price: '200.00', tax: '21.50' },
      { name: '#6', tax: '12.34' },
      { name: '#7', status: 'settled' },
    ],
  });
  const { code, stdout } = await shop.run('close', '2026-10');
  expect(code).toBe(1);
  const lines = stdout.split('\n');
  const lead = lines.findIndex((line) => line.startsWith('NOT READY'));
  const last = lines.findIndex((line, index) => index > lead && !line.startsWith(' '));
  const shown = lines.slice(lead + 1, last);
  const after = (start: string) => {
    const at = shown.findIndex((line) => line.includes(start));
    return [shown[at], shown[at + 1]];
  };
  expect(after('R99')).toEqual([
    expect.stringMatching(
      /^ {2}open R99 #6 CA \+1\.59: Unexplained: collected 12\.34, due 10\.75; .* \(orders\.csv:8\)$/,
    ),
    expect.stringMatching(/^ {4}to do: Run `tieout show FOLDER RECORD --json`/),
  ]);
  expect(after('total-differs')).toEqual([
    expect.stringMatching(/2 records, 21\.50; for example #2 \(orders\.csv:3\): 100\.00 goods/),
    expect.stringMatching(
      /^ {4}to do: Write “Post” in the column decision of decisions.csv if the sale stands, “Keep out” if it does not/,
    ),
  ]);
  expect(after('conflicting-duplicate')).toEqual([
    '  open conflicting-duplicate #4 CA: different statements of one order: orders.csv:5 has 100.00 and 10.75 tax on 2026-10-10, orders.csv:7 has 200.00 and 21.50 tax on 2026-10-10',
    expect.stringMatching(/^ {4}to do: Ask the shop which of the two is right/),
  ]);
  expect(after('unmapped-status')[1]).toContain('a profile of your own that extends the shipped one');
  expect(shown.filter((line) => line.startsWith('    to do: '))).toHaveLength(4);
});

test('an order that was recorded and is held now asks for its own decision, and for nothing to be deleted', async () => {
  const shop = await month({ orders: [{ name: '#1' }, { name: '#2' }] });
  await shop.close();
  await shop.change({ orders: [{ name: '#1' }, { name: '#2', at: '2026-10-12', total: '111.75' }] });
  await shop.service((service) =>
    withWireCalls(service).createOrder({
      transaction_id: 'stranger',
      transaction_date: '2026-10-15',
      provider: 'shopify',
      to_country: 'US',
      to_state: 'CA',
      to_zip: '90012',
      amount: 1,
      shipping: 0,
      sales_tax: 0,
    }),
  );
  const { stdout } = await shop.run('close', '2026-10');
  expect(stdout).toMatch(
    /open recorded-not-posted 2 CA: the service holds this order of "shopify" with 10\.75 tax; an export has it, and does not post it on that day\n {4}to do: The service has the record, .*: decide first what they say of it\./,
  );
  // What is at stake of the order is told once.
  expect(stdout).toContain('3 reasons, effect on tax +10.75');
  expect(stdout).toMatch(/open R20 stranger CA: .*; no export explains it\n {4}to do: If the exports lack/);
  expect(await shop.verify()).toEqual([]);
});
