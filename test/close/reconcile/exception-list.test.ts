import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exceptionList } from '../../../src/close/reconcile/exception-list.ts';
import { countOf, type DraftException } from '../../../src/close/reconcile/exceptions.ts';
import { money, sum } from '../../../src/kernel/money.ts';

const draft = fc
  .record({
    code: fc.constantFrom('R02', 'R06', 'R16', 'R27'),
    state: fc.constantFrom('CA', 'NY'),
    severity: fc.constantFrom('error', 'warning', 'notice'),
    effect: fc.integer({ min: -50, max: 50 }),
  })
  .map(
    (given): DraftException => ({
      ...given,
      effect: money(given.effect),
      message: 'found',
      origin: { file: 'orders.csv', line: 0, record: '' },
    }),
  );
const drafts = fc
  .array(draft, { maxLength: 200 })
  .map((all) => all.map((each, line) => ({ ...each, origin: { ...each.origin, line, record: `#${line}` } })));

const MAX = 5;
const isDecided = ({ origin }: DraftException): boolean => origin.line % 7 === 0;

const listed = (all: readonly DraftException[]): readonly DraftException[] => {
  const list = exceptionList(isDecided, MAX);
  for (const each of all) list.add(each);
  return list.drafts();
};

const groupOf = ({ code, state, severity }: DraftException): string => `${code} ${state} ${severity}`;

test('of each cause the same number and the same effect are left, however few are listed', () => {
  fc.assert(
    fc.property(drafts, (all) => {
      const before = Map.groupBy(all, groupOf);
      const after = Map.groupBy(listed(all), groupOf);
      expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
      for (const [cause, group] of before) {
        const left = after.get(cause) ?? [];
        expect(countOf(left)).toBe(group.length);
        expect(sum(left.map(({ effect }) => effect))).toBe(sum(group.map(({ effect }) => effect)));
      }
    }),
  );
});

test('what is open, a missing rate, or decided is listed by itself, and of the rest the largest', () => {
  fc.assert(
    fc.property(drafts, (all) => {
      const after = new Set(listed(all));
      const isHeld = (each: DraftException) =>
        each.severity === 'error' || each.code === 'R27' || isDecided(each);
      expect(all.filter((each) => isHeld(each) && !after.has(each))).toEqual([]);
      for (const [, group] of Map.groupBy(
        all.filter((each) => !isHeld(each)),
        groupOf,
      )) {
        const own = group.filter((each) => after.has(each));
        expect(own).toHaveLength(Math.min(MAX, group.length));
        const least = Math.min(...own.map(({ effect }) => Math.abs(effect)));
        const others = group.filter((each) => !after.has(each));
        expect(others.every(({ effect }) => Math.abs(effect) <= least)).toBe(true);
      }
    }),
  );
});
