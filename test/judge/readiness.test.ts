import { expect, test } from 'vitest';
import { type ReadinessReason, readinessLine, reasonsOf } from '../../src/judge/readiness.ts';
import { money } from '../../src/kernel/money.ts';

const reason = (code: string, state: string, effect: number): ReadinessReason => ({
  ...{ kind: code === 'R26' ? 'gap' : 'open', code, state, record: '', what: code, todo: '' },
  effect: money(effect),
});

const readiness = {
  ready: false,
  reasons: [
    reason('orphan-row', '', 0),
    reason('R08', 'CO', -120),
    reason('R99', 'TX', 900),
    reason('R26', 'CO', 450),
  ],
  accepted: [],
};

test('the first reason of a return is the largest one of its own state, on whatever list it stands', () => {
  expect(reasonsOf(readiness, 'CO').map(({ code }) => code)).toEqual(['R26', 'R08', 'orphan-row']);
  expect(reasonsOf(readiness, 'WA').map(({ code }) => code)).toEqual(['orphan-row']);
});

test('the line says what the figure beside the causes is, and where it stands', () => {
  expect(readinessLine(readiness)).toMatch(
    /^NOT READY: 3 causes of open exceptions, effect on tax \+7\.80 \(see Decide\); /,
  );
  const one = { ...readiness, reasons: [reason('R08', 'CO', -120)] };
  expect(readinessLine(one)).toBe('NOT READY: 1 cause of open exceptions, effect on tax (1.20) (see Decide)');
});
