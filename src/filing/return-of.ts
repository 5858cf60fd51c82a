import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { roundBigQuotient } from '../kernel/decimal.ts';
import { add, atLeastZero, lesser, type Money, money, RATE_ONE, subtract, ZERO } from '../kernel/money.ts';
import { type FilingPeriod, isAmendmentLabel, monthIndex } from '../kernel/period.ts';
import { type DueDate, dueDateOf, filingPeriodOf, MONTHS } from './dates.ts';
import type { DiscountRule } from './filing-law.ts';
import { evaluateForm, scheduleOf } from './form-lines.ts';
import { inForce, isInForce } from './law-row.ts';
import { discountRuleFor, dueDateRuleFor, formFor, loadFilingLaw, type Wanted } from './load-filing-law.ts';
import type { FilingRegistration } from './registration.ts';
import { NOTHING, type ReturnForm, ruleFigures, salesFigures, taxByRule } from './return-form.ts';
import { notesOf, provenanceOf, returnChecks } from './return-notes.ts';
import type { StateFigures } from './state-figures.ts';
import {
  amountOf,
  type Discount,
  filedBefore,
  type LongerReturn,
  lateCharges,
  lateOf,
  lineWithRole,
  type ReturnLine,
  type TaxReturn,
} from './tax-return.ts';

type Required = NonNullable<ReturnForm['required']>;

/** Whether a return is required for a period that ends on this day, with so much tax, or with any. */
const isWanted = ({ above, months }: Required, tax: Money | 'any', last: CalendarDate): boolean =>
  (above === undefined || tax === 'any' || tax > above) && months.includes(Number(last.slice(5, 7)));

/**
 * Returns the return that includes the tax if this one is not required: a matter of its own period, and not of several
 * together. One that was filed before is required whatever its tax is now, as it amends what was filed; in an amended
 * version one that was not is not, as its tax is that of the longer return. While open decisions could make it required, it
 * counts as required.
 */
const insteadOf = (
  { form, figures, registration }: Pick<TaxReturn, 'form' | 'figures' | 'registration'>,
  tax: Money,
  isOpen: boolean,
): Pick<TaxReturn, 'instead'> => {
  const { label, first, last } = figures.period;
  const { frequency } = registration;
  const isOne = monthIndex(last) - monthIndex(first) + 1 === MONTHS[frequency];
  const wasFiled = filedBefore({ registration, figures }) !== undefined;
  const required = form.required && isOne && !wasFiled ? inForce([form.required], last) : undefined;
  const isNeeded = !required || (!isAmendmentLabel(label) && isWanted(required, isOpen ? 'any' : tax, last));
  return { instead: isNeeded ? undefined : longerReturn({ ...figures, frequency }, last) };
};

/**
 * Fills in a return, on the form in force at the end of the period.
 *
 * @param isOpen whether open decisions could add tax: the state may require the return only of more than it has so far
 */
export const returnOf = (
  figures: StateFigures,
  registration: FilingRegistration,
  dueDate: CalendarDate,
  isOpen = false,
): TaxReturn => {
  const { period } = figures;
  const { frequency, completes } = registration;
  const wanted = { ...figures, frequency };
  const form = forSeller(formFor(wanted, period.last, completes?.form), registration);
  const basis = registration.basis ?? form.basis.rule;
  const listed = loadFilingLaw().codes.filter(
    (row) => row.state === figures.state && isInForce(row, period.last),
  );
  const codes = Object.assign({}, ...listed.map((row) => row.codes), registration.locationCodes);
  // The returns that it completes had the discount; one that is charged for lateness has lost it.
  const charges = lateCharges({ registration, figures });
  const before = filedBefore({ registration, figures });
  const isLate = lateOf(before ? before.late : charges) > ZERO;
  const rule = completes || isLate ? undefined : discountRuleFor(wanted, dueDate);
  const onSales = {
    form,
    figures,
    schedules: form.schedules.map((schedule) => scheduleOf(schedule, figures, form.rounding, codes)),
    registration,
    discountOn: (base: Money) => discountOf(rule, base, figures.taxable, registration),
    values: {
      ...salesFigures(figures, form, registration),
      ...charges,
      ...ruleFigures(basis, ZERO, ZERO),
    },
  };
  const taxLine = lineWithRole(form, 'tax');
  const withoutRule = evaluateForm({ ...onSales, values: { ...onSales.values, purchases: ZERO } });
  const values = { ...onSales.values, ...ruleFigures(basis, withoutRule.line(taxLine), figures.collected) };
  const given = { ...onSales, values };
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
  const useTax = subtract(tax, withoutPurchases.line(taxLine));
  const filled = {
    form,
    figures,
    values,
    registration,
    basis,
    remittance,
    lines,
    schedules: given.schedules,
    listed,
    discount,
    prepayments,
    credits,
    useTax,
    rounding: subtract(subtract(tax, useTax), remittance),
    ...insteadOf(given, tax, isOpen),
  };
  const checks = returnChecks(filled, withoutPurchases.line);
  return { ...filled, checks, notes: notesOf(filled) };
};

/** Returns a form with nothing on the lines of sellers in the state, if the seller has no place of business there. */
const forSeller = (form: ReturnForm, { isThere }: FilingRegistration): ReturnForm =>
  isThere
    ? form
    : { ...form, lines: form.lines.map((line) => (line.inState ? { ...line, formula: NOTHING } : line)) };

/** Computes the discount on a base amount, assuming that the return is filed and paid on time. */
export const discountOf = (
  rule: DiscountRule | undefined,
  base: Money,
  taxable: Money,
  registration: FilingRegistration,
): Discount => {
  const nothing = { rule, base, claimed: ZERO };
  if (!rule) return { ...nothing, why: 'The state gives none for this return.' };
  if (rule.taxableMax !== undefined && taxable > rule.taxableMax)
    return { ...nothing, why: 'The taxable amount is above the limit for any discount.' };
  const computed = tiered(rule, atLeastZero(base));
  const cap = rule.cap?.perReturn[registration.frequency];
  const raised = rule.least !== undefined && computed < rule.least ? rule.least : computed;
  const capped = cap === undefined ? raised : lesser(raised, cap);
  const allowed = lesser(capped, countedOf(rule, atLeastZero(base)));
  const claimed = rule.verified === false ? ZERO : allowed;
  return { rule, base, claimed, why: whyOf(rule, computed, allowed) };
};

/** Returns the part of the base that counts; no discount is more. */
const countedOf = ({ part }: DiscountRule, base: Money): Money =>
  money(Number(roundBigQuotient(BigInt(base) * BigInt(part.of), BigInt(part.in))));

const tiered = ({ tiers, part }: DiscountRule, base: Money): Money => {
  // One fraction until the end, so that single tiers are not rounded.
  const whole = BigInt(part.in);
  let weighted = 0n;
  let below = 0n;
  const counted = BigInt(base) * BigInt(part.of);
  for (const { upTo, rate } of tiers) {
    const limit = upTo === undefined ? counted : BigInt(upTo) * whole;
    const end = limit < counted ? limit : counted;
    if (end > below) weighted += (end - below) * BigInt(rate);
    below = end > below ? end : below;
  }
  return money(Number(roundBigQuotient(weighted, whole * BigInt(RATE_ONE))));
};

const whyOf = (rule: DiscountRule, computed: Money, allowed: Money): string => {
  if (rule.verified === false) return 'Not claimed: the rule is not verified.';
  const conditions = rule.conditions.join(', ');
  const limit = allowed < computed ? 'limited by its cap; ' : '';
  return `Claimed; ${limit}on condition: ${conditions}.`;
};

/** Returns the longer return that completes the one of a period that ends on this day, with its due date. */
export const longerReturn = (wanted: Wanted, last: CalendarDate): LongerReturn | undefined => {
  const { completedBy } = formFor(wanted, last);
  const row = completedBy && inForce([completedBy], last);
  if (!row) return undefined;
  const { frequency, form } = row;
  const longer = { ...wanted, frequency };
  return { form, frequency, dueDate: dueDateOf(longer, periodOn(longer, last)) };
};

type Days = Pick<FilingPeriod, 'first' | 'last'>;

/** Returns the longer return if a closed period is exactly its own: then that is the return to file from the close. */
export const completedIn = (wanted: Wanted, closed: Days): LongerReturn | undefined => {
  const longer = longerReturn(wanted, closed.last);
  const period = longer?.dueDate.period;
  return period?.first === closed.first && period.last === closed.last ? longer : undefined;
};

/** Lists the shorter periods within a longer one, oldest first. */
export const shorterPeriods = (wanted: Wanted, { first, last }: Days): readonly FilingPeriod[] => {
  const periods: FilingPeriod[] = [];
  for (let day = first; day <= last; ) {
    const period = periodOn(wanted, day);
    periods.push(period);
    day = addDays(period.last, 1);
  }
  return periods;
};

/** Returns the due dates of the returns that have days of a closed period, and of the longer ones that complete these. */
export const dueDatesOver = (wanted: Wanted, closed: Days): readonly DueDate[] =>
  shorterPeriods(wanted, closed).flatMap((period) => {
    const longer = longerReturn(wanted, period.last);
    return [dueDateOf(wanted, period), ...(longer ? [longer.dueDate] : [])];
  });

/** Whether a return can be required for a period that ends on this day. */
export const canBeRequired = (wanted: Wanted, last: CalendarDate): boolean => {
  const { required } = formFor(wanted, last);
  const rule = required && inForce([required], last);
  return rule === undefined || rule.months.includes(Number(last.slice(5, 7)));
};

const periodOn = (wanted: Wanted, day: CalendarDate): FilingPeriod =>
  filingPeriodOf(day, wanted.frequency, dueDateRuleFor(wanted, day).firstMonth);
