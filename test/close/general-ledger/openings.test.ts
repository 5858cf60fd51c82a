import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generalLedger } from '../../../src/close/general-ledger/general-ledger.ts';
import { ledgerReader } from '../../../src/close/general-ledger/read-ledger.ts';
import { parsePeriod } from '../../../src/kernel/period.ts';
import { surveyOf } from '../sales/files/on-disk.ts';

const ACCOUNTS = [
  { account: 'Texas State Comptroller Payable', state: 'TX' },
  { account: 'Nevada Department of Taxation Payable', state: 'NV' },
];
const sample = (name: string): string =>
  readFileSync(new URL(`../../../samples/ledgers/${name}.csv`, import.meta.url), 'utf8');
const LEDGER = sample('quickbooks.general-ledger');
/** The same report of November, in which Nevada has a balance. */
const NEVADA = LEDGER.replaceAll('09/', '11/')
  .replace('September 1-30', 'November 1-30')
  .replaceAll('Texas State Comptroller Payable', 'Nevada Department of Taxation Payable');

/** What the accounts of Texas and Nevada open a period with, in cents. */
const openings = async (period: string, ...texts: readonly string[]) => {
  const read = ledgerReader(ACCOUNTS);
  const files = [];
  for (const [index, text] of texts.entries()) files.push(await read(await surveyOf(text, `${index}.csv`)));
  const within = parsePeriod(period) ?? expect.fail();
  return generalLedger(ACCOUNTS, files, within, null, []).openings.map(({ amount }) => amount);
};

test.each([
  ['quickbooks.general-ledger', [41_250, 0]],
  ['quickbooks-desktop.general-ledger', [41_250, 0]],
  ['xero.account-transactions', [41_250, 0]],
  ['quickbooks.transaction-detail', [null, null]],
  ['ledger.rows', [41_250, null]],
] as const)(
  'an account that a report with balances leaves out opens with nothing: %s',
  async (name, amounts) => {
    expect(await openings('2026-09', sample(name))).toEqual(amounts);
  },
);

test('a balance that a report states counts from its day on, whatever other reports leave out', async () => {
  expect(await openings('2026-10', LEDGER)).toEqual([100_000, 0]);
  expect(await openings('2026-11', LEDGER, NEVADA)).toEqual([100_000, 41_250]);
  expect(await openings('2026-10', LEDGER, NEVADA)).toEqual([100_000, 0]);
  expect(await openings('2026-12', NEVADA, LEDGER)).toEqual([100_000, 100_000]);
});

test('a report does not say that an account opens with nothing whose entries of those days are in another file', async () => {
  const entries = sample('quickbooks.transaction-detail').replaceAll(
    'Texas State Comptroller',
    'Nevada Department of Taxation',
  );
  expect(await openings('2026-09', LEDGER, entries)).toEqual([41_250, null]);
  expect(await openings('2026-10', LEDGER, entries)).toEqual([100_000, null]);
  expect(await openings('2026-10', LEDGER, entries.replaceAll('09/', '10/'))).toEqual([100_000, 0]);
});
