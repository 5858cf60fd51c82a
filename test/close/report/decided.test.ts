import { expect, test } from 'vitest';
import { emptyTotals } from '../../../src/close/reconcile/period-totals.ts';
import { UNDECIDED } from '../../../src/close/reconcile/readiness.ts';
import { decided } from '../../../src/close/report/decided.ts';
import { money, ZERO } from '../../../src/kernel/money.ts';

type PeriodReport = Parameters<typeof decided>[0];
type PeriodFiling = Parameters<typeof decided>[1];

const NOTHING = { relieved: ZERO };

const report = {
  period: { label: '2026-10', first: '2026-10-01', last: '2026-10-31' },
  states: [],
  jurisdictions: [],
  registrations: [],
  reasons: [...emptyTotals().reasons.values()],
  stateReasons: [],
  days: [],
  inputs: [],
  exceptions: [],
  impliedRates: [],
  controls: [],
  comparedTotals: [],
  certificates: { usages: [], exempt: { certified: NOTHING, unsupported: NOTHING, unchecked: NOTHING } },
  unexplainedTolerance: ZERO,
  readiness: UNDECIDED,
  remittances: [],
} as unknown as PeriodReport;

const filing = { returns: [], uploads: [], journal: [], nexus: [] } satisfies PeriodFiling;
const ENTRY = { line: 'payable', debit: money(100), credit: ZERO, memo: '', state: 'CO' } as const;

test('a period is not ready when its returns do not add up, whatever the other checks say', () => {
  expect(decided(report, filing).readiness).toEqual({ ready: true, reasons: [], accepted: [] });
  const { ready, reasons } = decided(report, { ...filing, journal: [ENTRY] }).readiness;
  expect(ready).toBe(false);
  expect(reasons.map(({ kind, what }) => [kind, what])).toEqual([
    ['check', 'The debits of the journal are its credits.'],
    ['check', expect.stringMatching(/^What the journal takes out of Sales tax payable/)],
  ]);
});
