import { expect, test } from 'vitest';
import { type Decision, decisionIndex } from '../../src/judge/decision.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';

const POSTED: Decision = {
  ...{
    period: '2026-10',
    code: 'cancelled-but-paid',
    cause: '',
    records: ['#1001'],
    verdict: 'post',
  },
  ...{ why: 'it was sent', by: 'Ada', on: '', place: 'decisions.csv:2' },
};

test('a decision is not about a record of the same number after its period', () => {
  const { ofRecord } = decisionIndex([POSTED]);
  const on = (day?: string) =>
    ofRecord(['1001'], ['cancelled-but-paid'], day ? calendarDate(day) : undefined);
  expect(on()).toEqual([POSTED]);
  expect(on('2026-10-31')).toEqual([POSTED]);
  // It came late, and is carried to the period of the decision.
  expect(on('2026-08-31')).toEqual([POSTED]);
  expect(on('2026-11-01')).toEqual([]);
});

test('nor after the period that an amended version of it has', () => {
  const { ofRecord } = decisionIndex([{ ...POSTED, period: '2026-10-amended-1' }]);
  expect(ofRecord(['1001'], ['cancelled-but-paid'], calendarDate('2026-10-31'))).toHaveLength(1);
  expect(ofRecord(['1001'], ['cancelled-but-paid'], calendarDate('2026-12-03'))).toEqual([]);
});
