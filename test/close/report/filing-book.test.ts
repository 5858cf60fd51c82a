import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FilingRegistration } from '../../../src/close/filing/registration.ts';
import { amountOf } from '../../../src/close/filing/return/tax-return.ts';
import type { StateFigures } from '../../../src/close/filing/state-figures.ts';
import { emptyTotals } from '../../../src/close/reconcile/period-totals.ts';
import { filingBook } from '../../../src/close/report/filing-book.ts';
import { filingOf, type PeriodFiling } from '../../../src/close/report/period-filing.ts';
import type { PeriodReport } from '../../../src/close/report/period-report.ts';
import { returnsChecks } from '../../../src/close/report/returns-checks.ts';
import { passes } from '../../../src/close/workbook/checks-sheet.ts';
import { writeWorkbook } from '../../../src/close/workbook/write-workbook.ts';
import { money, sum } from '../../../src/kernel/money.ts';
import { recalculate, testWithLibreOffice, unconfirmed } from '../../support/libreoffice.ts';
import { tableRows } from '../../support/sheets.ts';
import { dollars, figuresOf, law, periodOf, registrationOf } from '../filing/figures-of.ts';

/** A state and local rate of every state whose return is mapped, and of one that is not. */
const RATES: Readonly<Record<string, Record<string, string>>> = {
  AZ: { state: '0.056', county: '0.007', city: '0.02' },
  CA: { state: '0.0625', county: '0.01', special: '0.0125' },
  CO: { state: '0.029', city: '0.0515', special: '0.011' },
  FL: { state: '0.06', county: '0.015' },
  GA: { state: '0.04', county: '0.04' },
  IL: { state: '0.0625', city: '0.0175' },
  MA: { state: '0.0625' },
  MI: { state: '0.06' },
  MN: { state: '0.06875', county: '0.0015' },
  MO: { state: '0.04225', city: '0.0365' },
  NC: { state: '0.0475', county: '0.0225' },
  NJ: { state: '0.06625' },
  NY: { state: '0.04', county: '0.0475' },
  OH: { state: '0.0575', county: '0.0125' },
  PA: { state: '0.06', county: '0.01' },
  TN: { state: '0.07', county: '0.0275' },
  TX: { state: '0.0625', city: '0.02' },
  UT: { state: '0.0485', county: '0.0225' },
  VA: { state: '0.043', county: '0.01' },
  WA: { state: '0.065', city: '0.038' },
  WI: { state: '0.05', county: '0.005' },
};
const period = periodOf('2026-10');

/** Every state with exempt and marketplace sales, too much or too little collected, and something paid before. */
const given = Object.entries(RATES).map(([state, rates], index) => {
  const plain = {
    state,
    places: [
      { county: 'ALLEGHENY', city: 'PITTSBURGH', taxable: `${1234.5 + index * 997.13}`.slice(0, 7), rates },
      { county: 'ERIE', city: 'BUFFALO', taxable: `${88.19 + index}`.slice(0, 5), rates },
    ],
    nonTaxable: '500.25',
    exempt: [
      ['wholesale', '300.10'],
      ['government', '20.20'],
    ] as const,
    marketplace: '1000.40',
    returns: '45.00',
  };
  const { expected } = figuresOf(plain);
  const collected = money(expected + (index % 3 === 0 ? 1234 : -567));
  const figures = { ...figuresOf(plain), collected };
  const registration = registrationOf(state, {
    frequency: state === 'MI' || state === 'NY' || index % 4 !== 0 ? 'monthly' : 'quarterly',
    basis: (['greater', 'expected', 'collected'] as const)[index % 3] ?? 'greater',
    prepayments: { opening: dollars('10.00'), added: money(index * 1_000) },
    credits: { opening: money(index * 777), added: dollars('0') },
    purchases: index % 5 === 0 ? dollars('40.00') : dollars('0'),
  });
  return { figures, registration };
});

/** September as it was kept: AZ not at all, CA with nothing taxable, all others with a dollar less. */
const BEFORE = given.slice(1).map(({ figures: { state, taxable, expected, collected } }) => ({
  period: '2026-09',
  state,
  expected: money(expected - 100),
  collected,
  filed: { taxable: money(state === 'CA' ? 0 : taxable - 100) },
}));

const LATE = { state: 'CO', choice: 'carried', taxable: dollars('12.00'), expected: dollars('0.35') };

const reportOf = (
  states: readonly { readonly figures: StateFigures; readonly registration: FilingRegistration }[],
): PeriodReport =>
  ({
    seller: '=Harbor & Pine',
    entity: 'harbor-and-pine',
    period,
    timeZone: 'America/Los_Angeles',
    service: 'none',
    program: 'test',
    registrations: states.map(({ registration: { state, since, account } }) => ({ state, since, account })),
    states: states.map(({ figures }) => ({ ...figures, recorded: figures.collected })),
    jurisdictions: states.flatMap(({ figures: { state, jurisdictions } }) =>
      jurisdictions.map((row) => ({ ...row, state, collected: row.tax })),
    ),
    reasons: [...emptyTotals().reasons.values()],
    stateReasons: [],
    readiness: { ready: true, reasons: [], accepted: [] },
    signOff: { contentDigest: '', signatures: [] },
    late: [LATE],
    trend: BEFORE,
  }) as unknown as PeriodReport;

describe('the filing book of every state at once', () => {
  let folder: string;
  let path: string;
  let filing: PeriodFiling;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tieout-filing-'));
    path = join(folder, 'filing-summary.xlsx');
    filing = filingOf(law, {
      seller: '=Harbor & Pine',
      period,
      states: given,
      months: new Map(
        given.map(({ figures }) => [
          figures.state,
          [
            {
              month: '2026-10',
              gross: figures.gross,
              resale: dollars('300.10'),
              taxable: figures.taxable,
              marketplace: figures.marketplace,
              transactions: 150,
              marketplaceTransactions: 7,
            },
          ],
        ]),
      ),
    });
    await writeWorkbook(path, filingBook(reportOf(given), filing));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  testWithLibreOffice('every line of every return recalculates to the cent it was computed at', async () => {
    const cells = await recalculate(path);
    expect(cells.length).toBeGreaterThan(600);
    expect(unconfirmed(cells)).toEqual([]);
  });

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
