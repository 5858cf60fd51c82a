import type { CalendarDate } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import { digestOf } from '../kernel/json.ts';
import { add, atLeastZero, lesser, type Money, type Rate, subtract, sum, ZERO } from '../kernel/money.ts';
import type { DueDate } from './dates.ts';
import type { CodeRule, DiscountRule } from './filing-law.ts';
import type { RoundTo } from './formula.ts';
import {
  type FiledBefore,
  type FilingRegistration,
  type Frequency,
  isSameName,
  type LateCharges,
  type Prepayments,
  type RemittanceBasis,
  type StatedOfReturn,
} from './registration.ts';
import {
  type FigureValues,
  type FormLine,
  type FormSchedule,
  figuresBehind,
  type LineRole,
  type ReturnForm,
} from './return-form.ts';
import { type JurisdictionLevel, returnKey, type StateFigures } from './state-figures.ts';

export type ReturnLine = {
  readonly line: FormLine;
  readonly amount: Money;
  readonly round: RoundTo;
  /** The source of the amount: the rows and columns of its figures, or the lines it is computed from. */
  readonly provenance: string;
};

/** The return of one state for one period, from which the tax manager files. */
export type TaxReturn = {
  readonly form: ReturnForm;
  readonly figures: StateFigures;
  readonly values: FigureValues;
  readonly registration: FilingRegistration;
  readonly basis: RemittanceBasis;
  /**
   * The tax to remit by the remittance basis of the tax of the sales, each rounded by itself: before the form computes
   * or rounds anything.
   */
  readonly remittance: Money;
  readonly lines: readonly ReturnLine[];
  readonly schedules: readonly ReturnSchedule[];
  /** The state's lists of codes of places for the period. */
  readonly listed: readonly CodeRule[];
  readonly discount: Discount;
  readonly prepayments: RollForward;
  readonly credits: RollForward;
  /** The part of the form's tax that the seller owes on its own purchases. */
  readonly useTax: Money;
  /** The tax of the form on sales less `remittance`, from the form's own rounding and rates: reason code R22. */
  readonly rounding: Money;
  /** The return that includes the tax if the state does not require this one for the month or for so little tax. */
  readonly instead: LongerReturn | undefined;
  readonly checks: readonly ReturnCheck[];
  readonly notes: readonly string[];
};

/** Two amounts of a return that must agree within rounding. */
export type ReturnCheck = {
  readonly test: string;
  readonly left: Money;
  readonly right: Money;
  readonly tolerance: Money;
};

export const checkPasses = ({ left, right, tolerance }: ReturnCheck): boolean =>
  Math.abs(left - right) <= tolerance;

/** A return before it is checked. */
export type FilledReturn = Omit<TaxReturn, 'checks' | 'notes'>;

/** Returns the amount of the line with a role; zero if the form has no such line. */
export const amountOf = (lines: readonly ReturnLine[], role: LineRole): Money =>
  lines.find(({ line }) => line.role === role)?.amount ?? ZERO;

/** Returns the number of the line with a role. Every form has one for the tax and one for the amount due. */
export const lineWithRole = (form: ReturnForm, role: LineRole): string =>
  form.lines.find((line) => line.role === role)?.line ?? '';

/** Returns the amount due with a return; negative if it ends in a credit. */
export const amountDue = ({ lines }: TaxReturn): Money =>
  subtract(amountOf(lines, 'due'), amountOf(lines, 'overpayment'));

/** A return as far as it is known before its form is filled in. */
type Known = Pick<TaxReturn, 'registration' | 'figures'>;

/** Returns what was filed before of a return that is amended. */
export const filedBefore = ({ registration, figures }: Known): FiledBefore | undefined =>
  registration.filedBefore?.find(({ kind, name }) => kind === figures.kind && name === figures.name);

/** Returns what `filings.csv` states for a return. */
const statedOf = ({ registration: { stated = [] }, figures }: Known): readonly StatedOfReturn[] =>
  stated.filter((each) => isSameName(each.return, returnKey(figures)));

/** Returns the day on which a person found that a line fits the form, as it was in force then. */
export const checkedOn = (filed: TaxReturn, { line }: FormLine): CalendarDate | undefined =>
  statedOf(filed)
    .flatMap(({ checked }) => checked ?? [])
    .filter(({ until }) => (filed.form.from ?? '') <= until)
    .findLast(({ lines }) => lines.some((each) => isSameName(each, 'all') || isSameName(each, line)))?.on;

/** Whether a line was not verified against a source. */
export const isUnverified = ({ form }: TaxReturn, line: FormLine): boolean =>
  !line.working && (form.verified === false || line.verified === false);

/** Returns the lines that a person still has to check on the form. */
export const linesToCheck = (filed: TaxReturn): readonly FormLine[] =>
  filed.form.lines.filter((line) => isUnverified(filed, line) && checkedOn(filed, line) === undefined);

/** Returns the amount to pay with a return: of an amended one what is due beyond the return before it; negative for a credit. */
export const amountToPay = (filed: TaxReturn): Money =>
  subtract(amountDue(filed), filedBefore(filed)?.due ?? ZERO);

/** Returns the digest of everything that is entered on a return: its lines and the rows of its schedules. */
export const linesDigest = ({ form, lines, schedules }: TaxReturn): string =>
  digestOf({
    form: form.form,
    lines: lines.map(({ line, amount }) => [line.line, amount]),
    schedules: schedules.map(({ schedule, rows }) => [
      schedule.name,
      rows.map(({ code, level = '', name, county, city, taxable, rate, tax }) => [
        ...[code, level, name, county, city],
        ...[taxable, String(rate), tax],
      ]),
    ]),
  });

/** Whether a return amends one with the same lines, so that there is nothing to file. */
export const isUnchanged = (filed: TaxReturn): boolean => {
  const before = filedBefore(filed)?.lines;
  return before !== undefined && before === linesDigest(filed);
};

/** Returns the title of a return: `CO DR 0100`, `CO Denver Local return`. */
export const returnTitle = ({ figures, form }: TaxReturn): string =>
  figures.kind === 'place' ? `${returnKey(figures)} ${form.form}` : `${figures.state} ${form.form}`;

/** Whether a return belongs to a place, whose sales are also on its state's return. */
export const isLocal = ({ figures }: TaxReturn): boolean => figures.kind === 'place';

/** Returns the fees due with a return in addition to the tax. */
export const feesOf = ({ values }: Pick<TaxReturn, 'values'>): Money =>
  sum([values.fees, values.excess_fees]);

/** Returns what a return is charged for lateness: by `filings.csv`, and by the return that it amends. */
export const lateCharges = (filed: Known): LateCharges => {
  const charges = [...statedOf(filed), filedBefore(filed)?.late].flatMap((each) => each ?? []);
  return {
    penalty: sum(charges.map(({ penalty }) => penalty)),
    interest: sum(charges.map(({ interest }) => interest)),
  };
};

/** Returns the penalty and interest of a return together; nothing if there are none. */
export const lateOf = (charges: LateCharges | undefined): Money =>
  charges ? add(charges.penalty, charges.interest) : ZERO;

/** Returns the fees that were charged, whatever is due. */
export const feesChargedOn = ({ figures }: TaxReturn): Money =>
  sum(figures.fees.map(({ charged }) => charged));

/** The accounts of amounts paid before, in the order in which they are used. */
export type PaidAccount = 'prepayments' | 'credits';

/** Whether a form takes off what was paid before it computes the discount on the rest. */
export const isUsedBeforeDiscount = (form: ReturnForm, account: PaidAccount): boolean =>
  figuresBehind(form, form.discountBase).has(account);

/** Returns how the form rounds the discount: like its line for it, or to the cent if it prints none. */
export const discountRounding = ({ lines, rounding }: ReturnForm): RoundTo => {
  const line = lines.find(({ role }) => role === 'discount');
  return line === undefined ? 'cents' : (line.round ?? rounding);
};

/** Returns the line of a form by its number. */
export const lineNamed = ({ lines, form }: ReturnForm, wanted: string): FormLine => {
  const found = lines.find(({ line }) => line === wanted);
  if (!found) throw new DefectError(`${form} has no line ${wanted}`);
  return found;
};

/** Returns the amount of a line by its number, for upload files. */
export const amountOfLine = ({ lines, form }: TaxReturn, wanted: string): Money => {
  const asked = lineNamed(form, wanted);
  return lines.find(({ line }) => line === asked)?.amount ?? ZERO;
};

/** Returns a schedule of a return by its name. */
export const scheduleNamed = (
  { schedules, form }: Pick<TaxReturn, 'schedules' | 'form'>,
  name: string,
): ReturnSchedule => {
  const found = schedules.find(({ schedule }) => schedule.name === name);
  if (!found) throw new DefectError(`${form.form} has no schedule ${name}`);
  return found;
};

/** The roll-forward of prepayments or credits over one period: `opening + added - used = closing`. */
export type RollForward = ReturnType<typeof rollForward>;

/**
 * Applies the available balance to the amount owed, up to that amount; the rest is carried forward. What later periods
 * used already is not available.
 */
export const rollForward = (account: Prepayments | undefined, owed: Money) => {
  const { opening, added, usedLater = ZERO } = account ?? { opening: ZERO, added: ZERO };
  const available = atLeastZero(subtract(add(opening, added), usedLater));
  const used = lesser(available, atLeastZero(owed));
  return { opening, added, usedLater, used, closing: subtract(add(opening, added), used) };
};

/** A timely-filing discount with the steps of its computation. */
export type Discount = {
  readonly rule: DiscountRule | undefined;
  readonly base: Money;
  /**
   * The discount within its cap, rounded as the form rounds it. Zero if the rule was not verified against a source: a
   * discount taken without right is owed with a penalty.
   */
  readonly claimed: Money;
  readonly why: string;
};

/** The return of a longer period that completes the returns of a registration. */
export type LongerReturn = {
  readonly form: string;
  readonly frequency: Frequency;
  readonly dueDate: DueDate;
};

/** One row of a schedule, as the form prints it. */
export type ScheduleRow = {
  /** The form's code of the place; empty if not known. */
  readonly code: string;
  /** The rates at which the state's list has the place, where it is not the row's; otherwise empty. */
  readonly listedAt: string;
  readonly name: string;
  readonly county: string;
  readonly city: string;
  /** The level of the body that levies the tax, in a schedule by bodies. */
  readonly level: JurisdictionLevel | undefined;
  readonly rate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
  /** Whether the tax content lacks rates of the place; its tax is then the collected tax. */
  readonly isGap: boolean;
};

export type ReturnSchedule = {
  readonly schedule: FormSchedule;
  readonly rows: readonly ScheduleRow[];
  readonly taxable: Money;
  readonly tax: Money;
};
