import type { CalendarDate } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { type Money, subtract, sum, ZERO } from '../../../kernel/money.ts';
import type { RoundTo } from '../expression/expression.ts';
import type { FormLine, LineRole, ReturnForm } from '../law/return-form.ts';
import type { FilingRegistration, RemittanceBasis } from '../registration.ts';
import { returnKey, type StateFigures } from '../state-figures.ts';
import type { Discount } from './discount-of.ts';
import type { FigureValues } from './figures.ts';
import type { LongerReturn } from './return-of.ts';
import type { RollForward } from './roll-forward.ts';
import type { ReturnSchedule } from './schedule-rows.ts';

export type ReturnLine = {
  readonly line: FormLine;
  readonly amount: Money;
  readonly round: RoundTo;
  /** Where the amount comes from: the rows and columns behind its figures, or the lines it is made of. */
  readonly provenance: string;
};

/** The return of one state for one period: what the tax manager files from. */
export type TaxReturn = {
  readonly form: ReturnForm;
  readonly figures: StateFigures;
  readonly values: FigureValues;
  readonly registration: FilingRegistration;
  readonly dueDate: CalendarDate;
  readonly basis: RemittanceBasis;
  /** The tax to be paid over by the basis, to the cent, before the form rounds anything. */
  readonly remittance: Money;
  readonly lines: readonly ReturnLine[];
  readonly schedules: readonly ReturnSchedule[];
  readonly discount: Discount;
  readonly prepayments: RollForward;
  readonly credits: RollForward;
  /** The part of the form's tax that the seller owes on its own purchases. */
  readonly useTax: Money;
  /** What the form's own rounding and rates make of the tax on sales: reason code R22. */
  readonly rounding: Money;
  /** Where the state wants no such return of this month or of so little tax: the return that takes its tax. */
  readonly instead: LongerReturn | undefined;
  readonly checks: readonly ReturnCheck[];
  readonly notes: readonly string[];
};

/** Two amounts of a return that must agree, up to what rounding can do. */
export type ReturnCheck = {
  readonly test: string;
  readonly left: Money;
  readonly right: Money;
  readonly tolerance: Money;
};

export const checkPasses = ({ left, right, tolerance }: ReturnCheck): boolean =>
  Math.abs(left - right) <= tolerance;

/** A return before anybody has looked at it. */
export type FilledReturn = Omit<TaxReturn, 'checks' | 'notes'>;

/** The amount of the line with a role; nothing where the form has no such line. */
export const amountOf = (lines: readonly ReturnLine[], role: LineRole): Money =>
  lines.find(({ line }) => line.role === role)?.amount ?? ZERO;

/** The number of the line with a role. Every form has one for the tax and one for what is due. */
export const lineWithRole = (form: ReturnForm, role: LineRole): string =>
  form.lines.find((line) => line.role === role)?.line ?? '';

/** What a return asks for; negative where it ends in a credit. */
export const amountDue = ({ lines }: Pick<TaxReturn, 'lines'>): Money =>
  subtract(amountOf(lines, 'due'), amountOf(lines, 'overpayment'));

/** What a return is called: `CO DR 0100`, `CO Denver Local return`. */
export const returnTitle = ({ figures, form }: Pick<TaxReturn, 'figures' | 'form'>): string =>
  figures.kind === 'place' ? `${returnKey(figures)} ${form.form}` : `${figures.state} ${form.form}`;

/** Whether a return is that of a place, whose sales are on that of its state as well. */
export const isLocal = ({ figures }: Pick<TaxReturn, 'figures'>): boolean => figures.kind === 'place';

/** The fees that a return asks for beside the tax. */
export const feesOf = ({ values }: Pick<TaxReturn, 'values'>): Money =>
  sum([values.fees, values.excess_fees]);

/** To what the form rounds the discount: as its line for it does, or to the cent where it prints none. */
export const discountRounding = ({ lines, rounding }: ReturnForm): RoundTo => {
  const line = lines.find(({ role }) => role === 'discount');
  return line === undefined ? 'cents' : (line.round ?? rounding);
};

/** The amount of a line by its number, as upload files ask for it. */
export const amountOfLine = ({ lines, form }: TaxReturn, wanted: string): Money => {
  const found = lines.find(({ line }) => line.line === wanted);
  if (!found) throw new DefectError(`${form.form} has no line ${wanted}`);
  return found.amount;
};
