import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RemittanceBasis } from '../../src/filing/registration.ts';
import type { ReturnForm } from '../../src/filing/return-form.ts';
import { returnOf } from '../../src/filing/return-of.ts';
import { amountOf, type TaxReturn } from '../../src/filing/tax-return.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { formatMoney, formatRate, type Money, money, subtract, sum } from '../../src/kernel/money.ts';
import { figuresOf, law, registrationOf, type TestFigures } from './figures-of.ts';

const nameOf = ({ state, form, of }: ReturnForm): string => `${state} ${form}, of a ${of}`;

const PERIODS = { monthly: '2026-10', quarterly: '2026-Q3', semiannual: '2026-Q3', annual: '2026' };

/** Fills in a form with sales of a state that files it. */
const fillForm = (
  form: ReturnForm,
  given: Omit<TestFigures, 'state'>,
  basis: RemittanceBasis,
  purchases: Money = money(0),
): TaxReturn => {
  const state = form.state === '*' ? 'UT' : form.state;
  const [frequency = 'monthly'] = form.frequencies;
  const period = form.to === undefined ? PERIODS[frequency] : form.to.slice(0, 7);
  const name = { state: '', place: 'Denver', fee: form.form }[form.of];
  const figures = { ...figuresOf({ state, period, ...given }), kind: form.of, name };
  // A form that no one files by frequency completes others.
  const completes = {
    form: form.form,
    frequency,
    shorter: frequency,
    returns: [],
    notKnown: [],
  };
  const registration = registrationOf(state, {
    ...{ frequency, basis, purchases, isThere: true },
    ...(form.frequencies.length === 0 && { completes }),
  });
  const filed = returnOf(figures, registration, calendarDate('2026-11-20'));
  expect(filed.form).toBe(form);
  return filed;
};

/** Rates of sales for a form: what the state itself levies is one of the form's rates, if it has any. */
const ratesFor = ({ rates }: ReturnForm) =>
  fc.record({
    state: fc.constantFrom(...rates.map(({ rate }) => formatRate(rate)), '0.0485'),
    county: fc.constantFrom('0.01', '0.0225', '0.00375'),
    city: fc.constantFrom('0.0125', '0.0405'),
    special: fc.constantFrom('0.001', '0.015'),
  });

const text = (cents: number): string => formatMoney(money(cents));

const salesFor = (form: ReturnForm) =>
  fc
    .record({
      rates: fc.array(ratesFor(form), { minLength: 1, maxLength: 3 }),
      taxable: fc.array(fc.integer({ min: -20_000, max: 200_000 }), { minLength: 1, maxLength: 6 }),
      gap: fc.option(fc.integer({ min: -500, max: 5_000 }), { nil: undefined }),
      nonTaxable: fc.integer({ min: 0, max: 50_000 }),
      marketplace: fc.integer({ min: 0, max: 50_000 }),
      offset: fc.integer({ min: -3_000, max: 3_000 }),
    })
    .map(({ rates, taxable, gap, nonTaxable, marketplace, offset }): Omit<TestFigures, 'state'> => {
      const given = {
        places: taxable.map((cents, index) => ({
          county: `C${index % 2}`,
          city: `T${index % 3}`,
          taxable: text(cents),
          rates: rates[index % rates.length] ?? {},
          ...(gap !== undefined && index === 0 && { gap: text(gap) }),
        })),
        nonTaxable: text(nonTaxable),
        marketplace: text(marketplace),
      };
      const { collected } = figuresOf({ state: 'UT', ...given });
      return { ...given, collected: text(collected + offset) };
    });

/** The tax of a form without that of the seller's own purchases. */
const taxOf = (filed: TaxReturn): Money => subtract(amountOf(filed.lines, 'tax'), filed.useTax);

const isInDollars = ({ lines, rounding }: ReturnForm): boolean =>
  lines.find(({ role }) => role === 'tax')?.round === 'dollars' || rounding === 'dollars';

describe('the tax that a form computes', () => {
  test.each(law.forms.map((form) => [nameOf(form), form] as const))(
    'of %s and what the rule makes of it are its tax: to the cent, or half a dollar of what was collected',
    (_, form) => {
      const tolerance = isInDollars(form) ? 50 : 0;
      fc.assert(
        fc.property(salesFor(form), fc.integer({ min: 0, max: 50_000 }), (given, purchases) => {
          const plain = fillForm(form, given, 'expected');
          expect(amountOf(plain.lines, 'tax')).toBe(plain.values.computed);
          const filedBy = (basis: RemittanceBasis) => fillForm(form, given, basis, money(purchases));
          const [greater, onlyCollected, onlyDue] = [
            filedBy('greater'),
            filedBy('collected'),
            filedBy('expected'),
          ];
          for (const { values } of [greater, onlyCollected, onlyDue])
            expect(values.computed).toBe(plain.values.computed);
          const { computed, adjustment } = greater.values;
          const { collected } = greater.figures;
          const most = Math.max(computed, collected);
          expect(sum([computed, adjustment])).toBe(most);
          // The form of a fee has no line for tax that was collected.
          if (form.of === 'fee') return;
          expect(taxOf(greater)).toBeGreaterThanOrEqual(computed);
          expect(Math.abs(taxOf(greater) - most)).toBeLessThanOrEqual(tolerance);
          expect(Math.abs(taxOf(onlyCollected) - collected)).toBeLessThanOrEqual(tolerance);
          expect(taxOf(onlyDue)).toBe(computed);
        }),
        { numRuns: 60 },
      );
    },
  );
});
