import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formFor } from '../../src/filing/load-filing-law.ts';
import { figuresBehind, ReturnForm } from '../../src/filing/return-form.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { law, ofState } from './figures-of.ts';

const STATES = 'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ TN MA MO WI CO MN'.split(' ');

const oneForm = (): { lines: Record<string, unknown>[] } & Record<string, unknown> =>
  parse(readFileSync(new URL('../../src/filing/data/forms/ma-st-9.yaml', import.meta.url), 'utf8'));

type Form = ReturnType<typeof oneForm>;
const formula = (at: number, text: string) => (form: Form) => {
  form.lines[at] = { ...form.lines[at], formula: text };
};
const key = (keys: Record<string, unknown>) => (form: Form) => Object.assign(form, keys);

describe('what the states want', () => {
  test.each(STATES)('%s has a return of its own, monthly and quarterly', (state) => {
    for (const frequency of ['monthly', 'quarterly'] as const)
      expect(formFor({ ...ofState(state), frequency }, calendarDate('2026-10-31')).state).toBe(state);
  });

  test('a state that is not mapped gets the general return, which says so', () => {
    const form = formFor({ ...ofState('UT'), frequency: 'monthly' }, calendarDate('2026-10-31'));
    expect([form.state, form.verified]).toEqual(['*', false]);
  });

  test('a return changes with its period, not with today: Virginia before and after April 2025', () => {
    const formOn = (date: string) =>
      formFor({ ...ofState('VA'), frequency: 'monthly' }, calendarDate(date)).form;
    expect([formOn('2025-03-31'), formOn('2025-04-30')]).toEqual(['ST-9', 'ST-1']);
  });

  test('every row that claims to be verified names where it was seen', () => {
    const rows = [
      ...law.forms,
      ...law.dueDates,
      ...law.holidays,
      ...law.discounts,
      ...law.nexus,
      ...law.fees,
    ];
    expect(rows.length).toBeGreaterThan(140);
    expect(rows.filter(({ verified, sources }) => verified !== false && sources.length === 0)).toEqual([]);
  });

  test('every state with a threshold has one in force today, and no two', () => {
    const states = new Set(law.nexus.map(({ state }) => state));
    expect(states.size).toBe(47);
    for (const state of states) {
      const rows = law.nexus.filter((row) => row.state === state && row.to === undefined);
      expect([state, rows.length]).toEqual([state, 1]);
    }
  });

  test.each([
    ['a line it has not', formula(7, '[99]'), 'line 6 speaks of line 99'],
    ['a misspelt figure', formula(0, 'sale'), 'the figure sale'],
    [
      'two lines of one number',
      (form: Form) => Object.assign(form.lines, { 1: form.lines[0] }),
      'two lines 1',
    ],
    ['no line for what is due', (form: Form) => form.lines.pop(), '0 lines have the role due'],
    ['no source', key({ sources: [] }), 'must name where the fact was seen'],
    ['an unknown key', key({ colour: 'red' }), 'colour'],
  ])('a form with %s is refused', (_, spoil, message) => {
    const form = oneForm();
    spoil(form);
    const result = ReturnForm.safeParse(form);
    expect(result.error?.message ?? '').toContain(message);
  });

  test('no form loses an amount that somebody states: what is due depends on each', () => {
    const lost = law.forms.flatMap((form) => {
      const due = figuresBehind(form, form.lines.find(({ role }) => role === 'due')?.formula);
      const base = figuresBehind(form, form.discountBase);
      const needed = ['penalty', 'interest', ...(form.of === 'state' ? ['prepayments', 'credits'] : [])];
      return [
        ...needed.filter((figure) => !due.has(figure)),
        ...(form.of === 'state' && due.has('purchases') === (form.purchasesOn !== undefined)
          ? ['purchases']
          : []),
        ...(base.has('credits') && !base.has('prepayments') ? ['prepayments of the discount'] : []),
      ].map((figure) => `${form.form} ${figure}`);
    });
    expect(lost).toEqual([]);
  });
});
