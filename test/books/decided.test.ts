import { expect, test } from 'vitest';
import { decided } from '../../src/books/checks.ts';
import { dueDateOf } from '../../src/filing/dates.ts';
import { emptyTotals } from '../../src/judge/period-totals.ts';
import { UNDECIDED } from '../../src/judge/readiness.ts';
import { money, ZERO } from '../../src/kernel/money.ts';
import { fill, sold } from '../filing/filed.ts';

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
  ...{ unposted: [], trend: [], inputs: [], files: [] },
  exceptions: [],
  impliedRates: [],
  controls: [],
  comparedTotals: [],
  certificates: { usages: [], exempt: { certified: NOTHING, unsupported: NOTHING } },
  unexplainedTolerance: ZERO,
  readiness: UNDECIDED,
  remittances: [],
} as unknown as PeriodReport;

const filing = { returns: [], uploads: [], journal: [], nexus: [] } satisfies PeriodFiling;
const ENTRY = { line: 'payable', debit: money(100), credit: ZERO, memo: '', state: 'CO' } as const;

test('a period is not ready when its returns do not add up, whatever the other checks say', () => {
  expect(decided(report, filing).readiness).toEqual({ ready: true, reasons: [] });
  const { ready, reasons } = decided(report, { ...filing, journal: [ENTRY] }).readiness;
  expect(ready).toBe(false);
  expect(reasons.map(({ kind, what }) => [kind, what])).toEqual([
    ['check', 'The debits of the journal are its credits.'],
  ]);
});

test('the rounding of forms in whole dollars hides no error of another return', () => {
  const place = { county: 'SUFFOLK', city: '', taxable: '100.00' };
  const reasonsWith = (rate: string) => {
    const returns = [
      fill(sold('NY', { state: '0.04', county: '0.04' })),
      fill({ state: 'MA', places: [{ ...place, rates: { state: rate } }] }),
    ].map((filed) => {
      const dueDate = dueDateOf({ ...filed.figures, frequency: 'monthly' }, filed.figures.period);
      return { filed, dueDate, coverage: 'whole' } as const;
    });
    const { reasons } = decided(report, { ...filing, returns }).readiness;
    return reasons.map(({ what }) => what).filter((what) => what.startsWith('Returns whose form rounding'));
  };
  // The form of Massachusetts has 6.25, and that of New York may differ by some dollars.
  expect(reasonsWith('0.0625')).toEqual([]);
  expect(reasonsWith('0.05')).toHaveLength(1);
});
