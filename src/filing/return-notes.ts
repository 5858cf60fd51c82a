import { add, formatPercent, type Money, money, subtract, sum, ZERO } from '../kernel/money.ts';
import { shownMoney, textsIn } from '../kernel/text.ts';
import { rateOf } from './form-lines.ts';
import { sourceNames } from './law-row.ts';
import {
  type FormLine,
  hasLocalSchedule,
  NOTHING,
  type ReturnForm,
  sourceOf,
  taxByRule,
} from './return-form.ts';
import type { StateFigures } from './state-figures.ts';
import { amountOf, type FilledReturn, feesOf, lateOf, lineWithRole, type ReturnCheck } from './tax-return.ts';

/**
 * Checks every return, independent of its form: what the form computes against the tax of the sales, and what it pays
 * over against the remittance rule.
 *
 * @param withoutPurchases The amount of a line without the seller's own purchases
 */
export const returnChecks = (
  filled: FilledReturn,
  withoutPurchases: (line: string) => Money,
): readonly ReturnCheck[] => {
  const { lines, figures, values, remittance, basis } = filled;
  const amount = (role: Parameters<typeof amountOf>[1]): Money => amountOf(lines, role);
  const unit = unitOf(filled.form);
  const tax = subtract(amount('tax'), filled.useTax);
  const checks: ReturnCheck[] = [
    {
      test: 'The tax that the form computes is the tax of the sales, but for rounding (R22).',
      left: values.computed,
      right: add(figures.expected, values.missing_rates),
      tolerance: roundingMax(filled),
    },
    {
      test: 'The tax of the form is the tax to be paid over, but for rounding (R22).',
      left: tax,
      right: remittance,
      tolerance: roundingMax(filled),
    },
    {
      test: `By the rule "${basis}", the tax of the form is the tax that it computes or the tax collected.`,
      left: tax,
      right: taxByRule(basis, values.computed, figures.collected),
      tolerance: ruleRoundingMax(filled),
    },
    {
      test: 'What is due is the tax with fees, penalty and interest, less discount, prepayments and credits.',
      left: subtract(amount('due'), amount('overpayment')),
      right: subtract(
        sum([amount('tax'), feesOf(filled), lateOf(values)]),
        sum([filled.discount.claimed, filled.prepayments.used, filled.credits.used]),
      ),
      tolerance: paymentRoundingMax(filled),
    },
  ];
  const taxable = lineWithRole(filled.form, 'taxable');
  if (taxable !== '') {
    checks.push({
      test: `Line ${taxable} is the taxable amount of the sales.`,
      left: withoutPurchases(taxable),
      right: figures.taxable,
      // A line that adds up a schedule differs by half a unit of each row.
      tolerance: money(unit === 100 ? 200 + 50 * rowsIn(filled.schedules) : 0),
    });
  }
  return checks;
};

/** Returns the maximum rounding of fees, prepayments and credits on a form in whole dollars: half a dollar each. */
export const paymentRoundingMax = (filled: FilledReturn): Money => {
  if (unitOf(filled.form) === 1) return ZERO;
  const amounts = [feesOf(filled), filled.prepayments.used, filled.credits.used];
  return money(50 * amounts.filter((amount) => amount !== ZERO).length);
};

/** Returns the maximum rounding of the tax collected: half a dollar if the form's tax is in whole dollars. */
export const ruleRoundingMax = ({ lines }: FilledReturn): Money =>
  lines.some(({ line, round }) => line.role === 'tax' && round === 'dollars') ? money(50) : ZERO;

/**
 * Returns how far the form's tax can differ from the tax of the sales by rounding alone: half a cent per sale, whose
 * tax is rounded; and, per line and schedule row, half a unit of the form plus a fifth of a unit for the taxable
 * amount.
 */
export const roundingMax = ({ form, figures, lines, schedules }: FilledReturn): Money => {
  const unit = unitOf(form);
  const sales = Math.ceil((figures.orders + figures.refunds) / 2);
  const rows = lines.length + rowsIn(schedules);
  return money(sales + Math.ceil(rows * unit * 0.7));
};

const rowsIn = (schedules: FilledReturn['schedules']): number =>
  schedules.reduce((count, { rows }) => count + rows.length, 0);

/** Returns the coarsest unit to which any line of the form is rounded, in cents. */
const unitOf = ({ rounding, lines }: ReturnForm): number =>
  rounding === 'dollars' || lines.some(({ round }) => round === 'dollars') ? 100 : 1;

/** Explains missing rates, for the first line of the return. */
export const gapNote = ({ figures: { gap, state } }: Pick<FilledReturn, 'figures'>): string =>
  `Local rates of ${state} are missing in Tieout: ${gapText(gap)}. It is remitted as collected and is not excess tax; check it against the rates of the state before you file.`;

/** Where a period takes back as many sales as it has, or more, the tax is of both: no number of sales says whose. */
const gapText = ({ sales, tax }: FilledReturn['figures']['gap']): string =>
  sales > 0
    ? `${shownMoney(tax)} was collected under them on ${sales} ${sales === 1 ? 'sale' : 'sales'}`
    : `with corrections of filed sales, ${shownMoney(tax)} was collected under them`;

/** Says what the amount due lacks of the tax on the seller's own purchases. */
export const useTaxNote = ({ form, values, useTax }: FilledReturn): readonly string[] => {
  const { purchases } = values;
  if (purchases === ZERO) return [];
  const { purchasesOn } = form;
  return textsIn([
    purchasesOn &&
      `Use tax on your purchases of ${shownMoney(purchases)} is not in this amount: report it on ${purchasesOn.form}.`,
    !purchasesOn &&
      hasLocalSchedule(form) &&
      `Use tax on your purchases, ${shownMoney(useTax)}, is at the rate of the state alone: add local use tax where the place of use has one.`,
  ]);
};

/** Lists what the person who files must know beyond the lines. */
export const notesOf = (filled: FilledReturn): readonly string[] => {
  const { form, schedules, listed, figures, values, basis, lines, useTax, registration } = filled;
  const { marketplace, beforeDuty } = figures;
  const { returns = [] } = registration.completes ?? {};
  const reported = form.marketplace;
  const added = subtract(subtract(amountOf(lines, 'tax'), useTax), values.computed);
  const isRuleDoubtful = form.basis.verified === false && basis === form.basis.rule;
  const codes = sourceNames(listed.flatMap(({ sources }) => sources));
  return textsIn([
    returns.length > 0 &&
      `Among the prepayments is what the returns of shorter periods settled, in their last versions: ${returns.map(({ period, settled }) => `${period} ${shownMoney(settled)}`).join(', ')}.`,
    form.note,
    marketplace !== ZERO &&
      reported.verified === false &&
      `How marketplace sales are reported is not verified. ${reported.note ?? ''}`.trim(),
    isRuleDoubtful &&
      added !== ZERO &&
      `${shownMoney(added)} is added by the rule "${basis}" of most states; that of this state is not verified.`,
    beforeDuty !== ZERO &&
      `Sales of ${shownMoney(beforeDuty)} are of days before the registration: in the sales of this return, untaxed, and among its exempt sales where the form has no line for them.`,
    ...schedules
      .filter(({ rows }) => rows.length > 0)
      .flatMap(({ schedule: { title, note } }) => [
        listed.length > 0 && `${title}: codes of ${codes}.`,
        note !== undefined && `${title}: ${note}`,
      ]),
    figures.kind === 'place' &&
      figures.orders + figures.refunds === 0 &&
      'No sale of the period went there: see how the registration spells its name.',
  ]);
};

/** A form and the figures it is filled in with. */
type Filled = {
  readonly form: ReturnForm;
  readonly figures: StateFigures;
};

/** The names and signs of a formula: a line, a rate, the sales at a rate, a schedule, a figure or function, a sign. */
const NAMES =
  /\[([^\]]+)\]|taxable_at\(rate\.(\w+)\)|rate\.(\w+)|schedule\.(\w+)\.(taxable|tax)|([a-z]\w*)|([*-])/g;

/** The words of functions: that a line rounds is said by its amount. */
const FUNCTIONS: Readonly<Record<string, string>> = { max: 'the greater of ', dollars: '', cents: '' };
const SIGNS: Readonly<Record<string, string>> = { '*': '×', '-': '−' };

/** Describes where a line's amount comes from, by its formula, in words that an auditor can follow: `Line 4 × 6.25%`. */
export const provenanceOf = ({ formula }: FormLine, { form, figures }: Filled): string => {
  if (formula === NOTHING) return 'Nothing to enter';
  if (formula.text === '0') return 'On the portal, if it applies';
  const rateWords = (name: string): string => formatPercent(rateOf(form, name, figures.period.last));
  const words = formula.text.replace(NAMES, (_, line, at, rate, schedule, column, name, sign): string => {
    if (line) return lineWords(form, line);
    if (at) return `sales that the state taxes at ${rateWords(at)}`;
    if (rate) return rateWords(rate);
    if (schedule) return `${form.schedules.find((each) => each.name === schedule)?.title}: total ${column}`;
    return sign ? (SIGNS[sign] ?? sign) : (FUNCTIONS[name] ?? sourceOf(name, figures));
  });
  // Two figures of one source are named once.
  const once = words.replace(/^(.+) \+ \1$/, '$1');
  return `${once.charAt(0).toUpperCase()}${once.slice(1)}`;
};

/** An intermediate step that the form does not print has no number there, so it is named instead. */
const lineWords = ({ lines }: ReturnForm, number: string): string => {
  const found = lines.find(({ line }) => line === number);
  if (!found?.working) return `line ${number}`;
  return `${found.label.charAt(0).toLowerCase()}${found.label.slice(1)}`;
};
