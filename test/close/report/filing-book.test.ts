import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amountOf } from '../../../src/close/filing/return/tax-return.ts';
import { filingBook } from '../../../src/close/report/filing-book.ts';
import { filingOf, type PeriodFiling } from '../../../src/close/report/period-filing.ts';
import { returnsChecks } from '../../../src/close/report/returns-checks.ts';
import { passes } from '../../../src/close/workbook/checks-sheet.ts';
import { writeWorkbook } from '../../../src/close/workbook/write-workbook.ts';
import { sum } from '../../../src/kernel/money.ts';
import { tableRows } from '../../support/sheets.ts';
import { figuresOf, law, registrationOf } from '../filing/figures-of.ts';
import { everyStateFiling, given, period, RATES, reportOf } from './every-state.ts';

describe('the filing book of every state at once', () => {
  let folder: string;
  let path: string;
  let filing: PeriodFiling;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tieout-filing-'));
    path = join(folder, 'filing-summary.xlsx');
    filing = everyStateFiling();
    await writeWorkbook(path, filingBook(reportOf(given), filing));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('every check passes', () => {
    expect(returnsChecks(filing).filter((check) => !passes(check))).toEqual([]);
  });

  test('what is due is the same in the returns, the calendar’s forms and the journal', async () => {
    const rows = await tableRows(path, 'Returns');
    const due = sum(filing.returns.map(({ filed }) => amountOf(filed.lines, 'due')));
    const over = sum(filing.returns.map(({ filed }) => amountOf(filed.lines, 'overpayment')));
    const shown = rows.reduce((total, row) => total + Math.round(Number(row['Due']) * 100), 0);
    expect(shown).toBe(due - over);
    expect(rows.map((row) => row['State'])).toEqual(Object.keys(RATES));
    const journal = await tableRows(path, 'Journal');
    const whole = filing.returns.filter(({ coverage }) => coverage === 'whole').length;
    expect(new Set(journal.map((row) => row['State'])).size).toBe(whole);
  });

  test('every basis stands beside the others, and the one in force is what is filed', async () => {
    const rows = await tableRows(path, 'What-if');
    const cents = (row: (typeof rows)[number] | undefined, title: string): number =>
      Math.round(Number(row?.[title]) * 100);
    filing.returns.forEach(({ filed }, index) => {
      const row = rows[index];
      const { collected, expected, excessCollected } = filed.figures;
      expect([row?.['State'], row?.['Basis']]).toEqual([filed.figures.state, filed.basis]);
      expect(cents(row, 'As filed')).toBe(filed.remittance);
      expect(cents(row, 'If expected')).toBe(expected);
      expect(cents(row, 'If collected')).toBe(collected);
      expect(cents(row, 'If greater')).toBe(Math.max(collected, expected));
      expect(cents(row, 'If greater, sale by sale')).toBe(expected + excessCollected);
      expect(cents(row, 'If collected: change')).toBe(collected - filed.remittance);
    });
  });

  test('every return stands beside the period before it, as far as that is known', async () => {
    const rows = await tableRows(path, 'Prior period');
    const row = (state: string) => rows.find((each) => each['State'] === state);
    expect([row('AZ')?.['Taxable before'], row('CA')?.['Taxable before']]).toEqual([null, 0]);
    expect([row('CO')?.['Tax change'], row('CO')?.['Collected change %']]).toEqual([1, 0]);
    expect([row('CO')?.['Late taxable'], row('CO')?.['Late tax']]).toEqual([12, 0.35]);
    expect(row('CO')?.['Prepayments carried']).toBe(10);
  });

  test('a quarter of which only a month was closed is worked out, and not handed in', () => {
    const quarterly = filing.returns.filter(({ filed }) => filed.registration.frequency === 'quarterly');
    expect(quarterly.length).toBeGreaterThan(2);
    expect(quarterly.every(({ coverage }) => coverage === 'part')).toBe(true);
    const states = quarterly.map(({ filed }) => filed.figures.state);
    expect(filing.uploads.filter(({ state }) => states.includes(state))).toEqual([]);
    expect(filing.journal.filter(({ state }) => states.includes(state))).toEqual([]);
  });

  test('the same figures give the same bytes', async () => {
    const again = join(folder, 'again.xlsx');
    await writeWorkbook(again, filingBook(reportOf(given), filing));
    expect((await readFile(again)).equals(await readFile(path))).toBe(true);
  });

  test('a registration without sales has a return of nothing', () => {
    const nothing = figuresOf({ state: 'CA', places: [] });
    const none = filingOf(law, {
      seller: 'S',
      period,
      states: [{ figures: nothing, registration: registrationOf('CA') }],
      months: new Map(),
    });
    expect(none.returns[0]?.filed.lines.every(({ amount }) => amount === 0)).toBe(true);
    expect(none.journal).toEqual([]);
  });
});
