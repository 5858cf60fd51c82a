import type { CalendarDate } from '../kernel/calendar.ts';
import type { Exact } from '../kernel/decimal.ts';
import { DefectError } from '../kernel/errors.ts';
import {
  add,
  addRow,
  formatMoney,
  formatPercent,
  type Money,
  type Rate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { once } from '../kernel/once.ts';
import { evaluate, exactOfMoney, exactOfRate, type Name, type RoundTo, roundExact } from './formula.ts';
import { inForce } from './law-row.ts';
import { countyName, type FilingRegistration, isSameName } from './registration.ts';
import {
  type FigureName,
  type FigureValues,
  type FormSchedule,
  isLocalSchedule,
  type ReturnForm,
} from './return-form.ts';
import type { PlaceFigures, StateFigures } from './state-figures.ts';
import {
  type Discount,
  discountRounding,
  isUsedBeforeDiscount,
  lineNamed,
  lineWithRole,
  type PaidAccount,
  type ReturnSchedule,
  rollForward,
  type ScheduleRow,
  scheduleNamed,
} from './tax-return.ts';

type Given = {
  readonly form: ReturnForm;
  readonly figures: StateFigures;
  readonly schedules: readonly ReturnSchedule[];
  readonly values: FigureValues;
  readonly registration: FilingRegistration;
  /** Computes the discount on a base amount. */
  readonly discountOn: (base: Money) => Discount;
};

/** Computes a form's lines on demand, each once: a line may precede the lines that it depends on. */
export const evaluateForm = (given: Given) => {
  const { form, figures, values, registration } = given;
  const known = new Map<string, Money>();
  const line = (code: string): Money => {
    const { formula, round = form.rounding } = lineNamed(form, code);
    const amount = known.get(code) ?? roundExact(evaluate(formula.expression, exactOf), round);
    known.set(code, amount);
    return amount;
  };
  const tax = (): Money => line(lineWithRole(form, 'tax'));
  const discount = once(() => {
    const base = form.discountBase;
    const found = given.discountOn(base ? roundExact(evaluate(base.expression, exactOf), 'cents') : tax());
    const claimed = roundExact(exactOfMoney(found.claimed), discountRounding(form));
    if (claimed === found.claimed) return found;
    const rounded = `${formatMoney(found.claimed)} is ${formatMoney(claimed)} on the form, in whole dollars.`;
    return { ...found, claimed, why: `${found.why} ${rounded}` };
  });
  const owed = (account: PaidAccount): Money =>
    isUsedBeforeDiscount(form, account) ? tax() : subtract(tax(), discount().claimed);
  const prepayments = once(() => rollForward(registration.prepayments, owed('prepayments')));
  const credits = once(() =>
    rollForward(registration.credits, subtract(owed('credits'), prepayments().used)),
  );
  const figure = (name: FigureName): Money => {
    if (name === 'discount') return discount().claimed;
    if (name === 'prepayments') return prepayments().used;
    return name === 'credits' ? credits().used : values[name];
  };
  const amountOf = ({ kind, name, column = 'tax' }: Name): Money => {
    if (kind === 'line') return line(name);
    if (kind === 'figure') return figure(name as FigureName);
    if (kind === 'schedule') return scheduleNamed(given, name)[column];
    const charged = rateOf(form, name, figures.period.last);
    const taxedAt = figures.jurisdictions.filter(({ level, rate }) => level === 'state' && rate === charged);
    return sum(taxedAt.map(({ taxable }) => taxable));
  };
  const exactOf = (name: Name): Exact =>
    name.kind === 'rate'
      ? exactOfRate(rateOf(form, name.name, figures.period.last))
      : exactOfMoney(amountOf(name));
  return { line, discount: discount(), prepayments: prepayments(), credits: credits() };
};

/** Returns a rate that a form names, as of the last day of its period. */
export const rateOf = (form: ReturnForm, name: string, on: CalendarDate): Rate => {
  const row = inForce(
    form.rates.filter((rate) => rate.name === name),
    on,
  );
  if (!row) throw new DefectError(`${form.form} has no rate ${name} on ${on}`);
  return row.rate;
};

/**
 * Builds a schedule of a return, with rows sorted by name and each rounded as the form rounds: a tax that the form computes
 * is not rounded like the amount that it is computed from.
 *
 * @param codes the form's codes by name of the place, in capitals
 */
export const scheduleOf = (
  schedule: FormSchedule,
  figures: StateFigures,
  formRounding: RoundTo,
  codes: Codes,
): ReturnSchedule => {
  const round = schedule.round ?? formRounding;
  const roundTax = schedule.tax === 'computed' ? formRounding : round;
  const rows = merged(schedule, rawRows(schedule, figures)).map((row): ScheduleRow => {
    const taxable = roundExact(exactOfMoney(row.taxable), round);
    const isComputed = schedule.tax === 'computed' && !row.isGap;
    const tax = isComputed ? exactOfMoney(taxable).times(exactOfRate(row.rate)) : exactOfMoney(row.tax);
    return { ...row, ...codeOf(codes, row), taxable, tax: roundExact(tax, roundTax) };
  });
  return {
    schedule,
    rows,
    taxable: sum(rows.map(({ taxable }) => taxable)),
    tax: sum(rows.map(({ tax }) => tax)),
  };
};

/** Codes by name of the place, in capitals. */
type Codes = Readonly<Record<string, string>>;
type RawRow = Omit<ScheduleRow, 'code' | 'listedAt'>;

const rawRows = (schedule: FormSchedule, figures: StateFigures): readonly RawRow[] => {
  if (schedule.rows === 'level') {
    const known = figures.jurisdictions.filter(({ level }) => schedule.levels.includes(level));
    const gaps = isLocalSchedule(schedule) ? figures.gap.jurisdictions : [];
    return [
      ...known.map((row) => ({ ...row, isGap: false })),
      ...gaps.map((row) => ({ ...row, isGap: true })),
    ].map((row) => ({
      ...row,
      name: nameOf(wholeOf(schedule, row.name) ?? row.name, row.isGap),
      county: row.level === 'county' ? row.name : '',
      city: row.level === 'city' ? row.name : '',
    }));
  }
  const isLocalPart = schedule.rows === 'place-local';
  return figures.places.map(({ rate, localRate, taxable, tax, localTax, gapTax, isGap, ...place }) => {
    const { county, city } = placeOnForm(schedule, place);
    return {
      name: nameOf([county, city].filter((name) => name !== '').join(' / ') || figures.state, isGap),
      county,
      city,
      level: undefined,
      rate: isLocalPart ? localRate : rate,
      taxable,
      tax: add(isLocalPart ? localTax : tax, gapTax),
      isGap,
    };
  });
};

type Place = Pick<PlaceFigures, 'county' | 'city' | 'isOfDistrict'>;

/** Returns what the form prints as one for several counties or bodies, if it does so for this one. */
const wholeOf = ({ together }: FormSchedule, name: string): string | undefined =>
  Object.entries(together).find(([, parts]) => parts.some((part) => isSameName(part, name)))?.[0];

/**
 * Returns the place that the form prints, which may be several counties. Among jurisdictions a city stands by its own tax,
 * and not where only a district reaches it.
 */
const placeOnForm = (
  schedule: FormSchedule,
  { county, city, isOfDistrict }: Place,
): Pick<Place, 'county' | 'city'> => {
  const whole = wholeOf(schedule, county);
  if (whole !== undefined) return { county: '', city: whole };
  const { key } = schedule;
  const isCounty = key === 'county' || (key === 'jurisdiction' && isOfDistrict);
  return { county, city: isCounty && county !== '' ? '' : city };
};

const nameOf = (name: string, isGap: boolean): string =>
  isGap ? `${name} (local rate not in Tieout)` : name;

/**
 * Merges rows with the same name, level and rate; the order does not depend on the order of the sales. A form takes no row
 * of refunds at a rate at which nothing was sold, such as one that ended: with their own tax, they join the row of the place.
 */
const merged = ({ tax }: FormSchedule, rows: readonly RawRow[]): readonly RawRow[] => {
  const rateOf = (row: RawRow): Rate => {
    if (tax === 'computed' || row.taxable >= ZERO) return row.rate;
    const sold = rows.filter(
      ({ name, level, taxable }) => name === row.name && level === row.level && taxable > ZERO,
    );
    return sold.some(({ rate }) => rate === row.rate) ? row.rate : (sold[0]?.rate ?? row.rate);
  };
  const byKey = new Map<string, RawRow>();
  for (const row of rows) {
    const rate = rateOf(row);
    const key = `${row.name} ${String(rate).padStart(9, '0')} ${row.level ?? ''}`;
    addRow(byKey, key, { ...row, rate }, ['taxable', 'tax']);
  }
  return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
};

/**
 * Returns the code of a place; empty if it is not known. A city's code is its own: its county's is that of another place. A
 * county of the name of a city has its code as `EL PASO COUNTY`. A code of one rate alone is named `MONROE AT 8%`: a place
 * that the list has at another rate has no code, as the row may hold what the list has apart.
 */
const codeOf = (codes: Codes, { city, county, name, rate }: RawRow) => {
  const names = city === '' ? [countyName(county), county, name] : [name, city];
  const keys = names.map((key) => key.toUpperCase());
  const ofRate = keys.map((key) => `${key} AT ${formatPercent(rate)}`);
  const code = [...keys, ...ofRate].map((key) => codes[key]).find((each) => each !== undefined);
  const listed = Object.keys(codes).filter((each) => keys.some((key) => each.startsWith(`${key} AT `)));
  const rates = code === undefined ? listed.map((each) => each.split(' AT ').at(-1)) : [];
  return { code: code ?? '', listedAt: rates.join(', ') };
};
