import type { CalendarDate } from '../../../kernel/calendar.ts';
import { add, type Money, subtract, ZERO } from '../../../kernel/money.ts';
import { type DueDate, dueDateOf } from '../calendar/due-date-of.ts';
import { filingPeriodOf } from '../calendar/filing-period-of.ts';
import { discountRuleFor, dueDateRuleFor, type FilingLaw, formFor, type Wanted } from '../law/filing-law.ts';
import { inForce } from '../law/law-row.ts';
import type { ReturnForm } from '../law/return-form.ts';
import type { FilingRegistration, Frequency } from '../registration.ts';
import type { StateFigures } from '../state-figures.ts';
import { computedTax } from './computed-tax.ts';
import { discountOf } from './discount-of.ts';
import { evaluateForm, evaluateSold } from './evaluate-form.ts';
import { ruleFigures, salesFigures, taxByRule } from './figures.ts';
import { provenanceOf } from './provenance-of.ts';
import { returnChecks } from './return-checks.ts';
import { notesOf } from './return-notes.ts';
import { scheduleOf } from './schedule-rows.ts';
import { amountOf, lineWithRole, type ReturnLine, type TaxReturn } from './tax-return.ts';

type Required = NonNullable<ReturnForm['required']>;

/** Whether a return with so much tax is required for a period that ends on this day. */
const isWanted = ({ above, months }: Required, tax: Money, last: CalendarDate): boolean =>
  tax > above && months.includes(Number(last.slice(5, 7)));

/** Fills in a return, on the form in force at the end of the period. */
export const returnOf = (
  law: FilingLaw,
  figures: StateFigures,
  registration: FilingRegistration,
  dueDate: CalendarDate,
): TaxReturn => {
  const { period } = figures;
  const form = formFor(law, figures, registration.frequency, period.last);
  const basis = registration.basis ?? form.basis.rule;
  const schedules = form.schedules.map((schedule) =>
    scheduleOf(schedule, figures, form.rounding, registration.locationCodes),
  );
  const sold = salesFigures(figures, form, registration);
  const computed = evaluateSold(computedTax(form), { form, figures, schedules }, sold);
  const values = { ...sold, ...ruleFigures(basis, computed, figures.collected) };
  const rule = discountRuleFor(law, figures, registration.frequency, dueDate);
  const given = {
    form,
    figures,
    values,
    schedules,
    registration,
    discountOn: (base: Money) => discountOf(rule, base, figures.taxable, registration),
  };
  const evaluated = evaluateForm(given);
  const lines = form.lines.map(
    (line): ReturnLine => ({
      line,
      amount: evaluated.line(line.line),
      round: line.round ?? form.rounding,
      provenance: provenanceOf(line, given),
    }),
  );
  const { discount, prepayments, credits } = evaluated;
  const remittance = taxByRule(basis, add(figures.expected, values.missing_rates), figures.collected);
  const tax = amountOf(lines, 'tax');
  const required = form.required && inForce([form.required], period.last);
  const withoutPurchases = evaluateForm({ ...given, values: { ...values, purchases: ZERO } });
  const useTax = subtract(tax, withoutPurchases.line(lineWithRole(form, 'tax')));
  const filled = {
    form,
    figures,
    values,
    registration,
    dueDate,
    basis,
    remittance,
    lines,
    schedules,
    discount,
    prepayments,
    credits,
    useTax,
    rounding: subtract(subtract(tax, useTax), remittance),
    instead:
      required && !isWanted(required, tax, period.last)
        ? longerReturn(law, figures, required, period.last)
        : undefined,
  };
  const checks = returnChecks(filled, withoutPurchases.line);
  return { ...filled, checks, notes: notesOf(filled, checks) };
};

/** The return of a longer period that includes the tax of a period without a return of its own. */
export type LongerReturn = {
  readonly form: string;
  readonly frequency: Frequency;
  readonly dueDate: DueDate;
};

/** Returns the return of the longer period for one without its own return, with its due date. */
export const longerReturn = (
  law: FilingLaw,
  wanted: Wanted,
  { otherwise }: Pick<Required, 'otherwise'>,
  last: CalendarDate,
): LongerReturn => {
  const { firstMonth } = dueDateRuleFor(law, wanted, otherwise, last);
  const period = filingPeriodOf(last, otherwise, firstMonth);
  return {
    frequency: otherwise,
    form: formFor(law, wanted, otherwise, period.last).form,
    dueDate: dueDateOf(law, wanted, otherwise, period),
  };
};
