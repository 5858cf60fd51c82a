import type { CalendarDate } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { formatMoney, type Money, type Rate, subtract, sum } from '../../../kernel/money.ts';
import { type Environment, evaluate, exactOfMoney, roundExact } from '../expression/evaluate.ts';
import type { Expression } from '../expression/expression.ts';
import { inForce } from '../law/law-row.ts';
import type { ReturnForm } from '../law/return-form.ts';
import type { FilingRegistration } from '../registration.ts';
import type { StateFigures } from '../state-figures.ts';
import type { Discount } from './discount-of.ts';
import { type FigureValues, isFigureName } from './figures.ts';
import { type RollForward, rollForward } from './roll-forward.ts';
import type { ReturnSchedule } from './schedule-rows.ts';
import { discountRounding, isUsedBeforeDiscount, lineWithRole, type PaidAccount } from './tax-return.ts';

/** A form with the sales of its period. */
type Sold = {
  readonly form: ReturnForm;
  readonly figures: StateFigures;
  readonly schedules: readonly ReturnSchedule[];
};

type Given = Sold & {
  readonly values: FigureValues;
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
export const evaluateForm = (given: Given): EvaluatedForm => {
  const { form, values, registration } = given;
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
  const owed = (account: PaidAccount): Money =>
    isUsedBeforeDiscount(form, account) ? line(taxLine) : subtract(line(taxLine), discount().claimed);
  const prepayments = once(() => rollForward(registration.prepayments, owed('prepayments')));
  const credits = once(() =>
    rollForward(registration.credits, subtract(owed('credits'), prepayments().used)),
  );

  const figure = (name: string): Money => {
    if (!isFigureName(name)) throw unknownFigure(form, name);
    if (name === 'discount') return discount().claimed;
    if (name === 'prepayments') return prepayments().used;
    return name === 'credits' ? credits().used : values[name];
  };
  const environment: Environment = { ...soldNames(given), figure, line };
  return {
    line,
    discount: discount(),
    prepayments: prepayments(),
    credits: credits(),
  };
};

/** Computes an amount that depends on the sales alone, to the cent. */
export const evaluateSold = (
  expression: Expression,
  given: Sold,
  values: Readonly<Partial<Record<string, Money>>>,
): Money => {
  const environment: Environment = {
    ...soldNames(given),
    figure: (name) => {
      const value = values[name];
      if (value === undefined) throw unknownFigure(given.form, name);
      return value;
    },
    line: (line) => {
      throw new DefectError(`${given.form.form}: line ${line} is not one of the sales`);
    },
  };
  return roundExact(evaluate(expression, environment), 'cents');
};

const unknownFigure = ({ form }: ReturnForm, name: string): DefectError =>
  new DefectError(`${form} speaks of the unknown figure ${name}`);

/** The names in a form's formulas that follow from its rates and the sales. */
const soldNames = ({
  form,
  figures,
  schedules,
}: Sold): Pick<Environment, 'rate' | 'schedule' | 'taxableAt'> => ({
  rate: (name) => rateOf(form, name, figures.period.last),
  schedule: (name, column) => {
    const found = schedules.find(({ schedule }) => schedule.name === name);
    if (!found) throw new DefectError(`${form.form} has no schedule ${name}`);
    return found[column];
  },
  taxableAt: (wanted) =>
    sum(
      figures.jurisdictions
        .filter(({ level, rate: charged }) => level === 'state' && charged === wanted)
        .map(({ taxable }) => taxable),
    ),
});

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
