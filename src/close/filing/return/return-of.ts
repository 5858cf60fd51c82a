import type { CalendarDate } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { formatMoney, type Money, subtract, sum, ZERO } from '../../../kernel/money.ts';
import type { Rate } from '../../../kernel/rate.ts';
import { type DueDate, dueDateOf } from '../calendar/due-date-of.ts';
import { filingPeriodOf } from '../calendar/filing-period-of.ts';
import { type Environment, evaluate, exactOfMoney, roundExact } from '../expression/evaluate.ts';
import { discountRuleFor, dueDateRuleFor, type FilingLaw, formFor, type Wanted } from '../law/filing-law.ts';
import { inForce } from '../law/law-row.ts';
import type { ReturnForm } from '../law/return-form.ts';
import type { FilingRegistration, Frequency } from '../registration.ts';
import type { StateFigures } from '../state-figures.ts';
import { type Discount, discountOf } from './discount-of.ts';
import { type FigureValues, figureValues, isFigureName } from './figures.ts';
import { provenanceOf } from './provenance-of.ts';
import { returnChecks } from './return-checks.ts';
import { notesOf } from './return-notes.ts';
import { type RollForward, rollForward } from './roll-forward.ts';
import { type ReturnSchedule, scheduleOf } from './schedule-rows.ts';
import { amountOf, discountRounding, lineWithRole, type ReturnLine, type TaxReturn } from './tax-return.ts';

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
  const values = figureValues(figures, form, registration);
  const schedules = form.schedules.map((schedule) =>
    scheduleOf(schedule, figures, form.rounding, registration.locationCodes),
  );
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
  const remittance = sum([figures.expected, values.missing_rates, values.adjustment]);
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
    basis: registration.basis ?? form.basis.rule,
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

type Given = {
  readonly form: ReturnForm;
  readonly figures: StateFigures;
  readonly values: FigureValues;
  readonly schedules: readonly ReturnSchedule[];
  readonly registration: FilingRegistration;
  /** Computes the discount on a base amount. */
  readonly discountOn: (base: Money) => Discount;
};

type EvaluatedForm = {
  readonly line: (line: string) => Money;
  readonly discount: Discount;
  readonly prepayments: RollForward;
  readonly credits: RollForward;
};

/** Computes a form's lines on demand, each once: a line may precede the lines that it depends on. */
const evaluateForm = (given: Given): EvaluatedForm => {
  const { form, figures, values, registration } = given;
  const known = new Map<string, Money>();

  const line = (code: string): Money => {
    const done = known.get(code);
    if (done !== undefined) return done;
    const definition = form.lines.find((each) => each.line === code);
    if (!definition) throw new DefectError(`${form.form} has no line ${code}`);
    const exact = evaluate(definition.formula.expression, environment);
    const amount = roundExact(exact, definition.round ?? form.rounding);
    known.set(code, amount);
    return amount;
  };

  const taxLine = lineWithRole(form, 'tax');
  const discount = once(() => {
    const found = given.discountOn(
      form.discountBase
        ? roundExact(evaluate(form.discountBase.expression, environment), 'cents')
        : line(taxLine),
    );
    const claimed = roundExact(exactOfMoney(found.claimed), discountRounding(form));
    if (claimed === found.claimed) return found;
    const rounded = `${formatMoney(found.claimed)} is ${formatMoney(claimed)} on the form, in whole dollars.`;
    return { ...found, claimed, why: `${found.why} ${rounded}` };
  });
  const owed = (): Money => subtract(line(taxLine), discount().claimed);
  const prepayments = once(() => rollForward(registration.prepayments, owed()));
  const credits = once(() => rollForward(registration.credits, subtract(owed(), prepayments().used)));

  const figure = (name: string): Money => {
    if (!isFigureName(name)) throw new DefectError(`${form.form} speaks of the unknown figure ${name}`);
    if (name === 'discount') return discount().claimed;
    if (name === 'prepayments') return prepayments().used;
    return name === 'credits' ? credits().used : values[name];
  };
  const environment: Environment = {
    figure,
    line,
    rate: (name) => rateOf(form, name, figures.period.last),
    schedule: (name, column) => {
      const found = given.schedules.find(({ schedule }) => schedule.name === name);
      if (!found) throw new DefectError(`${form.form} has no schedule ${name}`);
      return found[column];
    },
    taxableAt: (wanted) =>
      sum(
        figures.jurisdictions
          .filter(({ level, rate: charged }) => level === 'state' && charged === wanted)
          .map(({ taxable }) => taxable),
      ),
  };
  return {
    line,
    discount: discount(),
    prepayments: prepayments(),
    credits: credits(),
  };
};

const rateOf = (form: ReturnForm, name: string, on: CalendarDate): Rate => {
  const row = inForce(
    form.rates.filter((rate) => rate.name === name),
    on,
  );
  if (!row) throw new DefectError(`${form.form} has no rate ${name} on ${on}`);
  return row.rate;
};

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
