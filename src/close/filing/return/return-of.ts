import type { CalendarDate } from '../../../kernel/calendar.ts';
import { add, type Money, subtract, ZERO } from '../../../kernel/money.ts';
import { monthIndex } from '../../../kernel/period.ts';
import { MONTHS } from '../calendar/filing-period-of.ts';
import { discountRuleFor, type FilingLaw, formFor } from '../law/filing-law.ts';
import { inForce } from '../law/law-row.ts';
import type { ReturnForm } from '../law/return-form.ts';
import type { FilingRegistration } from '../registration.ts';
import type { StateFigures } from '../state-figures.ts';
import { computedTax } from './computed-tax.ts';
import { discountOf } from './discount-of.ts';
import { evaluateForm, evaluateSold } from './evaluate-form.ts';
import { ruleFigures, salesFigures, taxByRule } from './figures.ts';
import { longerReturn } from './longer-return.ts';
import { provenanceOf } from './provenance-of.ts';
import { returnChecks } from './return-checks.ts';
import { notesOf } from './return-notes.ts';
import { scheduleOf } from './schedule-rows.ts';
import { amountOf, filedBefore, lineWithRole, type ReturnLine, type TaxReturn } from './tax-return.ts';

type Required = NonNullable<ReturnForm['required']>;

/** The most that open decisions could add to the tax of a return. */
export type MayAdd = Money | 'unknown';

/** Whether a return is required for a period that ends on this day, with so much tax, or with any. */
const isWanted = ({ above, months }: Required, tax: Money | 'any', last: CalendarDate): boolean =>
  (above === undefined || tax === 'any' || tax > above) && months.includes(Number(last.slice(5, 7)));

/**
 * Returns the return that includes the tax if this one is not required: a matter of its own period, and not of several
 * together. One that was filed before is required whatever its tax is now, as it amends what was filed; one whose tax was
 * filed with the longer return is not, as that one is amended. While open decisions could make it required, it counts as
 * required, and the other is `otherwise`.
 */
const insteadOf = (
  law: FilingLaw,
  { form, figures, registration }: Pick<TaxReturn, 'form' | 'figures' | 'registration'>,
  tax: Money,
  mayAdd: MayAdd,
): Pick<TaxReturn, 'instead' | 'otherwise'> => {
  const { first, last } = figures.period;
  const isOne = monthIndex(last) - monthIndex(first) + 1 === MONTHS[registration.frequency];
  const longer = () => longerReturn(law, figures, registration.frequency, last);
  if (registration.isOnLonger) return { instead: longer() };
  const isAmended = filedBefore({ registration, figures }) !== undefined;
  const required = form.required && isOne && !isAmended ? inForce([form.required], last) : undefined;
  if (!required || isWanted(required, tax, last)) return { instead: undefined };
  const most = mayAdd === 'unknown' ? 'any' : add(tax, mayAdd);
  return isWanted(required, most, last) ? { instead: undefined, otherwise: longer() } : { instead: longer() };
};

/**
 * Fills in a return, on the form in force at the end of the period.
 *
 * @param mayAdd what open decisions could add: the state may require the return only of more tax than it has so far
 */
export const returnOf = (
  law: FilingLaw,
  figures: StateFigures,
  registration: FilingRegistration,
  dueDate: CalendarDate,
  mayAdd: MayAdd = ZERO,
): TaxReturn => {
  const { period } = figures;
  const { frequency, completes } = registration;
  const form = formFor(law, figures, frequency, period.last, completes?.form);
  const basis = registration.basis ?? form.basis.rule;
  const listed = inForce(
    law.codes.filter(({ state }) => state === figures.state),
    period.last,
  );
  const codes = { ...listed?.codes, ...registration.locationCodes };
  const schedules = form.schedules.map((schedule) => scheduleOf(schedule, figures, form.rounding, codes));
  const sold = salesFigures(figures, form, registration);
  const computed = evaluateSold(computedTax(form), { form, figures, schedules }, sold);
  const values = { ...sold, ...ruleFigures(basis, computed, figures.collected) };
  // The returns that it completes had the discount.
  const rule = completes ? undefined : discountRuleFor(law, figures, frequency, dueDate);
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
    listed,
    discount,
    prepayments,
    credits,
    useTax,
    rounding: subtract(subtract(tax, useTax), remittance),
    ...insteadOf(law, given, tax, mayAdd),
  };
  const checks = returnChecks(filled, withoutPurchases.line);
  return { ...filled, checks, notes: notesOf(filled, checks) };
};
