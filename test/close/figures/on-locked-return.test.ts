import { expect, test } from 'vitest';
import { isOnLockedReturn } from '../../../src/close/figures/period-filing.ts';
import { dueDateOf } from '../../../src/close/filing/calendar/due-date-of.ts';
import type { LongerLocked } from '../../../src/close/filing/registration.ts';
import { fill, sold } from '../filing/filed.ts';
import { law, ofState, periodOf } from '../filing/figures-of.ts';

const { first, last } = periodOf('2026-Q3');
const OWN: LongerLocked = { kind: 'state', name: '', first, last };

const CASES: readonly (readonly [what: string, locked: readonly LongerLocked[], isFiled: boolean])[] = [
  ['its period was locked with it', [OWN], true],
  ['its period was locked without it', [], false],
  ['its period was locked with another return of the state', [{ ...OWN, kind: 'place', name: 'X' }], false],
  ['a longer period was locked with it', [{ ...OWN, last: periodOf('2026-Q4').last }], false],
];

test.for(CASES)('whether a return of a longer period was filed: %s', ([, longerLocked, isFiled]) => {
  const sales = sold('CA', { state: '0.0625', county: '0.01' }, { period: '2026-Q3' });
  const filed = fill(sales, { frequency: 'quarterly', longerLocked });
  const dueDate = dueDateOf(law, ofState('CA'), 'quarterly', periodOf('2026-Q3'));
  expect(isOnLockedReturn({ filed, dueDate, coverage: 'part' })).toBe(isFiled);
});
