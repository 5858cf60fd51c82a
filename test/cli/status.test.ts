import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { sheetText, tableRows } from '../support/sheets.ts';
import { LAS_VEGAS } from '../support/shop-exports.ts';
import { sampleMerchant, tieout } from '../support/tieout.ts';

test('status says how the last run of each period ended, and lists its returns', async () => {
  const merchant = await sampleMerchant();
  const status = (...args: string[]) =>
    tieout(['status', ...args, '--config', merchant.config, '--output', merchant.output]);
  expect((await status()).stdout).toMatch(
    /^Nothing has been closed yet\.\nNext: `tieout close PERIOD --config .*`, such as 2026-10\.\n$/,
  );
  expect((await merchant.close(['2026-10'])).code).toBe(0);
  expect((await merchant.close(['2031-01'])).code).toBe(1);
  const { stdout } = await status();
  for (const line of [
    /^2026-10 {12}closed: READY +run of .*\n {19}variance 28.05, 0 open exceptions\n.*harbor-and-pine\/2026-10\n/m,
    /^ {19}FL {9}TO FILE {10}(345.86|354.73) {4}.*pay by .*Thu, Nov 19, 2026, 5:00 PM ET/m,
    /^ {19}NJ .* 113.32 {4}pay by Wed, Jan 20, 2027, 11:59 PM ET$/m,
    /^ {19}CA {2,}NOT DUE {2,}1,037.00 {2}pay by Mon, Feb 1, 2027$/m,
    /^ {19}To pay: 2,1\d\d.\d\d$/m,
    /^2031-01 {12}closed: NOT READY, preliminary: the period is not over +run of .*\n {19}variance 0.00, 1 open exception\n/m,
    /^ {19}open no-sales 2031-01: none of the exports holds an order of the period$/m,
    /^ {19}FL {2,}(BLOCKED|NOT DUE) +0.00 {2}pay by Wed, Feb 19, 2031, 5:00 PM ET, no-sales$/m,
    /^Next: (?:file .* Then )?look through the books of 2026-10, `tieout sign 2026-10 --as NAME /m,
  ])
    expect(stdout).toMatch(line);
  const one = JSON.parse((await status('2026-10', '--json')).stdout) as { periods: unknown[] };
  expect(one.periods).toEqual([expect.objectContaining({ period: '2026-10', exitCode: 0 })]);
});

test('status says of a run without an end that it is at work or was cut off, and of its files that they are older', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close('2026-10');
  const file = join(shop.folder, '.tieout', 'runs.ndjson');
  const [begun] = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, `${begun}\n`);
  const { stdout } = await shop.run('status');
  expect(stdout).toMatch(/^2026-10 +at work, or cut off: run it again /);
  expect(stdout).toMatch(/^ +NOT CURRENT: its files are of an earlier run; close it again$/m);
});

test('status with another configuration than the close says so before any figure', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close('2026-10');
  const text = await readFile(shop.config, 'utf8');
  await writeFile(shop.config, text.replaceAll('95814', '90401').replace('{', '{ "buyerUse": "business",'));
  const { stdout } = await shop.run('status');
  expect(stdout.split('\n')[1]).toBe(
    `${' '.repeat(19)}NOT CURRENT: closed with another configuration; close it again`,
  );
  await writeFile(shop.config, text);
  expect((await shop.run('status')).stdout).not.toContain('NOT CURRENT');
});

test('what no source says is called not verified, and not overdue', async () => {
  const shop = await month({
    orders: [{ name: '#1', at: '2026-03-05', to: LAS_VEGAS, tax: '8.38' }],
    settings: { registrations: [{ state: 'NV', since: '2019-01-01' }] },
  });
  const closed = await shop.run('close', '2026-03');
  expect(closed.stdout).toMatch(
    /^due: 1 return, 8\.38 in all; first NV by Mon, Apr 20, 2026, not verified; /m,
  );
  expect(closed.stdout).not.toContain('1 overdue');
  const [row] = await tableRows(shop.book('2026-03', 'filing-summary'), 'Pay');
  expect(row?.['Pay by']).toBe('Mon, Apr 20, not verified');
  const page = await readFile(join(shop.out('2026-03'), 'report.html'), 'utf8');
  expect(page).toContain('data-unverified="2026-04-20"');
  expect(page).toContain('Mon, Apr 20, not verified');
  const { stdout } = await shop.run('status');
  expect(stdout).toMatch(/^ +NV +TO FILE +8\.38 +pay by Mon, Apr 20, 2026, not verified$/m);
  expect(stdout).not.toContain('OVERDUE');
  const { periods } = await shop.told<{ periods: { returns: object[] }[] }>(0, 'status');
  expect(periods[0]?.returns).toMatchObject([{ return: 'NV', overdue: false, date_verified: false }]);
});

test('a return that is overdue, or paid too late, is shown without the discount that lateness loses', async () => {
  const shop = await month({
    orders: [
      {
        name: '#1',
        at: '2022-01-10',
        price: '100.00',
        tax: '7.50',
        to: { city: 'Tallahassee', zip: '32301', state: 'FL' },
      },
    ],
    settings: { registrations: [{ state: 'FL', since: '2019-01-01' }] },
  });
  await shop.close('2022-01');
  const shown = (await shop.run('status', '2022-01')).stdout;
  expect(shown).toMatch(
    /^ {19}FL {2}TO FILE {2}7.50 {2}OVERDUE, pay by Fri, Feb 18, 2022.* {2}without the discount of 0.19, which lateness loses$/m,
  );
  expect(shown).toMatch(/^Next: file and pay what is overdue now: FL of 2022-01\. Then /m);
  expect(JSON.parse((await shop.run('status', '--json')).stdout).periods[0].returns).toMatchObject([
    { amount: '7.50', overdue: true, discount_lost: '0.19' },
  ]);
  const [row] = await tableRows(shop.book('2022-01', 'filing-summary'), 'Pay');
  expect(row).toMatchObject({ State: 'FL', 'To pay': 7.31 });

  const paid = ['--on', '2022-02-22', '--confirmation', 'FL-1', '--paid', '7.31', '--paid-on', '2022-02-18'];
  expect((await shop.run('filed', '2022-01', 'FL', ...paid)).code).toBe(0);
  expect((await shop.told<Told>(0, 'status')).periods[0]?.returns).toMatchObject([
    {
      status: 'FILED',
      amount: '7.31',
      discount_lost: '0.00',
      filed: { on: '2022-02-22', confirmation: 'FL-1', paid: '7.31' },
    },
  ]);
  await shop.write('filings.csv', (await shop.read('filings.csv')).replace('2022-02-18', '2022-02-22'));
  expect((await shop.run('status', '2022-01')).stdout).toMatch(
    /^ {19}FL {2}FILED {2}7.50 {2}filed on 2022-02-22, FL-1 {2}without the discount of 0.19, which lateness loses$/m,
  );
});

type Told = { readonly periods: readonly { readonly returns: readonly object[] }[] };

test('status and Pay have the tax that is on no return, and what of it is to be paid', async () => {
  const sold = { price: '100.00', tax: '8.60', to: { city: 'Phoenix', zip: '85004', state: 'AZ' } };
  const earlier = [
    { ...sold, name: '#0', at: '2026-09-10' },
    { ...sold, name: '#3', refundOf: '#0' },
  ];
  const shop = await month({ template: [{ name: '#1' }, { ...sold, name: '#2' }, ...earlier] });
  expect((await shop.close()).exit_code).toBe(1);
  const undecided = (await shop.run('status')).stdout;
  expect(undecided).toMatch(/^ {19}On no return: AZ 8.60, AZ -8.60; the sheet Pay says what to do\.$/m);
  const decided = 'key,records,decision,why\n2026-10 R10 in AZ,1 record,Remit,we register there\n';
  await shop.write('decided.csv', decided);
  await shop.change({ settings: { decisions: ['decided.csv'] } });
  await shop.close();
  expect((await shop.run('status')).stdout).toContain('On no return: AZ 8.60 (to remit), AZ -8.60; ');
  expect(JSON.parse((await shop.run('status', '--json')).stdout).periods[0].unreturned).toMatchObject([
    { state: 'AZ', amount: '8.60', to_remit: true },
    { amount: '-8.60', to_remit: false },
  ]);
  const pay = await sheetText(shop.book('2026-10', 'filing-summary'), 'Pay');
  expect(pay).toContain('Remit: we register there. Pay it over to Arizona; no amount above has it.');
});

test('status lists the returns of a period, what stands in their way, and why a run was stopped', async () => {
  const shop = await month({ orders: [{ name: '#1', total: '1.00' }] });
  await shop.close();
  const open = (await shop.run('status')).stdout;
  expect(open).toMatch(/^ {19}CA {2}BLOCKED {2}[\d.]+ {2}.*pay by .*\w{3}, \w{3} \d+/m);

  await shop.change({ orders: [{ name: '#1' }] });
  await shop.close();
  await shop.write('orders.csv', '');
  expect((await shop.run('backfill', '2026-10..2026-11')).code).toBe(65);
  // What was asked for in a wrong way says nothing of the month.
  expect(await shop.refused('backfill', '2026-10')).toBe('E_BACKFILL_RANGE');
  const stopped = (await shop.run('status', '2026-10')).stdout;
  expect(stopped).toMatch(
    /^2026-10 +stopped: E_EXPORT_EMPTY, exit code 65 +run of .* UTC\n.*\n {19}\S*orders\.csv: /,
  );
  expect(stopped).toMatch(/^ {19}CA {2}TO FILE {2}[\d.]+ {2}.*pay by /m);
  expect(stopped).toMatch(
    /^Next: E_EXPORT_EMPTY stopped the run of 2026-10: Export it again; .* Then `tieout close 2026-10 --config .*`\.$/m,
  );
  const told = JSON.parse((await shop.run('status', '--json')).stdout);
  expect(told.periods[0]).toMatchObject({
    error: { code: 'E_EXPORT_EMPTY' },
    returns: [{ state: 'CA', status: 'TO FILE', blockers: [] }],
  });
});

test('status ends with what to do next, until the period is locked and filed', async () => {
  const unlikely = { state: 'PA', zip: '10001', city: 'Newtown' };
  const names = [1, 2, 3, 4, 5, 6, 7].map((number) => `#${number}`);
  const shop = await month({ orders: names.map((name) => ({ name, tax: '0.00', to: unlikely })) });
  const next = async (...args: string[]) =>
    (await shop.run('status', ...args)).stdout.trimEnd().split('\n').at(-1);
  expect(await next('2026-10')).toMatch(/`tieout close 2026-10 --config \S+`, such as 2026-10\.$/);
  await shop.close();
  expect(await next()).toMatch(
    /^Next: (?:file .* Then )?2026-10, zip-not-in-state: Correct the address .* Then `tieout close 2026-10 --config \S+`\.$/,
  );
  await shop.change({ orders: names.map((name) => ({ name })) });
  await shop.close();
  expect(await next()).toMatch(
    /^Next: (?:file .* Then )?look through the books of 2026-10, `tieout sign 2026-10 .*`tieout lock 2026-10 --as NAME --config \S+` when it is filed\.$/,
  );
  await shop.run('lock', '2026-10', '--as', 'Dana');
  expect(await next()).toMatch(
    /^Next: (?:file .* Then )?file the returns of 2026-10, and write each down: `tieout filed 2026-10 CA /,
  );
  await shop.run('filed', '2026-10', 'CA', '--on', '2026-11-20', '--confirmation', 'CA-1');
  const nothing = 'nothing: what is closed is locked, and its returns are filed.';
  expect(await next()).toBe(`Next: ${nothing}`);
  expect(await shop.told(0, 'status')).toMatchObject({ next: nothing });
});

test('status names a month between closed ones that was never closed', async () => {
  const shop = await month({ orders: [{ name: '#8', at: '2026-08-10' }, { name: '#10' }] });
  for (const period of ['2026-08', '2026-10']) {
    await shop.close(period);
    await shop.run('lock', period, '--as', 'Dana');
  }
  expect((await shop.run('status')).stdout).toMatch(
    /`tieout close 2026-09 .*`, which works out the returns of 2026-09\.\n$/,
  );
});

test('status says that a lock is missing in one of its two homes, and how to get it back', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close();
  expect((await shop.run('lock', '2026-10', '--as', 'Dana')).code).toBe(0);
  expect((await shop.run('status')).code).toBe(0);
  const register = join(shop.folder, 'locks.ndjson');
  const lines = await readFile(register, 'utf8');
  await rm(register);
  expect((await shop.run('status')).code).toBe(0);
  expect(existsSync(register)).toBe(false);
  await writeFile(register, lines);
  await rm(shop.out(), { recursive: true });
  const { code, stderr } = await shop.run('status');
  expect([code, stderr]).toEqual([
    65,
    expect.stringMatching(
      /^E_LOCK_UNKNOWN: .*out\/shop\/2026-10 is locked, and .*\nPut .*2026-10 back as it was when 2026-10 was locked, from a copy\./,
    ),
  ]);
});

test('without the list of runs, status knows from the folders what was closed, and what of it is filed', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close();
  await shop.told(0, 'sign', '2026-10', '--as', 'Ada', '--role', 'preparer');
  await shop.told(0, 'lock', '2026-10', '--as', 'Dana');
  await rm(join(shop.folder, '.tieout'), { recursive: true });
  const { stdout } = await shop.run('status');
  expect(stdout).toMatch(/^2026-10 +closed: READY, locked$/m);
  expect(stdout).toMatch(/^ {19}variance 0\.00, 0 open exceptions$/m);
  expect(stdout).toMatch(/`tieout filed 2026-10 CA --on DAY --confirmation TEXT --config \S+`\.$/m);
  expect(await shop.told(0, 'status')).toMatchObject({
    periods: [
      { period: '2026-10', started: null, isLocked: true, isSigned: true, readiness: { ready: true } },
    ],
  });
  await shop.change({
    orders: [
      { name: '#1', price: '50.00' },
      { name: '#2', at: '2026-11-05' },
    ],
  });
  await shop.close('2026-11');
  expect((await shop.run('status')).stdout).toMatch(/^ {19}open R17 #1 CA /m);
});

test('status asks for the lock of a quarter whose months are locked, whose returns are filed then', async () => {
  const months = ['2026-07', '2026-08', '2026-09'];
  const orders = months.map((period, index) => ({ name: `#${index + 1}`, at: `${period}-10` }));
  const registrations = [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }];
  const shop = await month({ orders, settings: { registrations } });
  for (const period of months) {
    await shop.close(period);
    expect((await shop.run('lock', period, '--as', 'Ada')).code).toBe(0);
  }
  await shop.close('2026-Q3');
  expect((await shop.run('status')).stdout.split('\nNext: ')[1]).toMatch(/`tieout lock 2026-Q3 /);
  expect((await shop.run('lock', '2026-Q3', '--as', 'Ada')).code).toBe(0);
  expect((await shop.run('status')).stdout.split('\nNext: ')[1]).toMatch(/`tieout filed 2026-Q3 CA /);
  await shop.run('filed', '2026-Q3', 'CA', '--on', '2026-10-20', '--confirmation', 'CA-7');
  expect((await shop.run('status', '2026-Q3')).stdout).toMatch(
    /CA {2}FILED {2}.*filed on 2026-10-20, CA-7$/m,
  );
  expect((await shop.run('status')).stdout.split('\nNext: ')[1]).toBe(
    'nothing: what is closed is locked, and its returns are filed.\n',
  );
});
