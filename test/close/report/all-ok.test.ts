import { expect, test } from 'vitest';
import { emptyTotals } from '../../../src/close/reconcile/period-totals.ts';
import { isAllOk } from '../../../src/close/report/all-ok.ts';
import type { PeriodReport } from '../../../src/close/report/period-report.ts';
import { ZERO } from '../../../src/kernel/money.ts';

const NOTHING = { relieved: ZERO };

const report = {
  states: [],
  jurisdictions: [],
  registrations: [],
  reasons: [...emptyTotals().reasons.values()],
  days: [],
  inputs: [],
  exceptions: [],
  impliedRates: [],
  controls: [],
  comparedTotals: [],
  certificates: { usages: [], exempt: { certified: NOTHING, unsupported: NOTHING, unchecked: NOTHING } },
  unexplainedTolerance: ZERO,
  returnsAgree: true,
  remittances: [],
} as unknown as PeriodReport;

test('a period is not all right when its returns do not add up, whatever the other checks say', () => {
  expect(isAllOk(report)).toBe(true);
  expect(isAllOk({ ...report, returnsAgree: false })).toBe(false);
});
