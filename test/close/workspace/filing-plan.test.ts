import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filingPlan, isFiled, nextOpenDay } from '../../../src/close/workspace/filing-plan.ts';
import type { Lock } from '../../../src/close/workspace/locks.ts';
import { addDays, calendarDate } from '../../../src/kernel/calendar.ts';
import { parsePeriod } from '../../../src/kernel/period.ts';

const period = (text: string) => {
  const found = parsePeriod(text);
  if (!found) throw new Error(text);
  return found;
};
const lock = (text: string, version = 0, state: Lock['state'] = 'locked'): Lock => ({
  ...period(text),
  label: version === 0 ? text : `${text}-amended-${version}`,
  period: text,
  version,
  state,
  digest: '',
});
const spans = (text: string, locks: readonly Lock[]) =>
  filingPlan(period(text), locks).spans.map(
    ({ first, last, labels }) => `${first} ${last} ${labels.join('+')}`,
  );

describe('which days of a period are open', () => {
  test.each([
    ['2026-10', [], ['2026-10-01 2026-10-31 '], 'nothing is locked'],
    ['2026-10', [lock('2026-10')], ['2026-10-01 2026-10-31 2026-10'], 'its own lock'],
    ['2026-10', [lock('2026-Q4')], ['2026-10-01 2026-10-31 2026-Q4'], 'the lock of its quarter'],
    [
      '2026-Q4',
      [lock('2026-10'), lock('2026-10', 1), lock('2026-12')],
      [
        '2026-10-01 2026-10-31 2026-10+2026-10-amended-1',
        '2026-11-01 2026-11-30 ',
        '2026-12-01 2026-12-31 2026-12',
      ],
      'months of a quarter, one of them amended',
    ],
    [
      '2026-11',
      [lock('2026-10'), lock('2026-12')],
      ['2026-11-01 2026-11-30 '],
      'neighbours are not its business',
    ],
  ] as const)('%s with other locks, %#', (text, locks, expected, _reason) => {
    expect(spans(text, locks)).toEqual(expected);
  });

  test('an amended version is the period as filed, and beside it what was put into the amendment', () => {
    const locks = [lock('2026-10'), lock('2026-10', 1), lock('2026-10', 2, 'open')];
    const plan = filingPlan({ ...period('2026-10'), label: '2026-10-amended-2' }, locks);
    expect(plan).toMatchObject({
      amendment: '2026-10-amended-2',
      spans: [{ labels: ['2026-10', '2026-10-amended-1'] }],
    });
    expect(isFiled(plan)).toBe(false);
    const first = filingPlan({ ...period('2026-10'), label: '2026-10-amended-1' }, locks);
    expect(isFiled(first)).toBe(true);
  });

  test('the spans cover each day of the period once, in order', () => {
    const months = ['2026-09', '2026-10', '2026-11', '2026-12', '2027-01'];
    fc.assert(
      fc.property(
        fc.subarray(months),
        fc.constantFrom('2026-Q4', '2026-10..2027-01', '2026-11'),
        (locked, text) => {
          const plan = filingPlan(
            period(text),
            locked.map((label) => lock(label)),
          );
          const wanted = period(text);
          expect(plan.spans[0]?.first).toBe(wanted.first);
          expect(plan.spans.at(-1)?.last).toBe(wanted.last);
          plan.spans.slice(1).forEach((span, index) => {
            expect(span.first).toBe(addDays(calendarDate(plan.spans[index]?.last ?? ''), 1));
          });
        },
      ),
    );
  });

  test('what is carried goes to the first day behind the lock that no lock holds', () => {
    expect(nextOpenDay(lock('2026-10'), [lock('2026-10')])).toBe('2026-11-01');
    const quarter = [lock('2026-10'), lock('2026-11'), lock('2026-12')];
    expect(nextOpenDay(lock('2026-10'), quarter)).toBe('2027-01-01');
    expect(nextOpenDay(lock('2026-10'), [lock('2026-10'), lock('2026-12')])).toBe('2026-11-01');
  });
});
