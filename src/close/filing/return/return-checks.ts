import { add, type Money, money, subtract, sum, ZERO } from '../../../kernel/money.ts';
import type { ReturnForm } from '../law/return-form.ts';
import { taxByRule } from './figures.ts';
import { amountOf, type FilledReturn, feesOf, lineWithRole, type ReturnCheck } from './tax-return.ts';

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
      test: 'What is due is the tax with fees, less discount, prepayments and credits.',
      left: subtract(amount('due'), amount('overpayment')),
      right: subtract(
        sum([amount('tax'), feesOf(filled)]),
        sum([filled.discount.claimed, filled.prepayments.used, filled.credits.used]),
      ),
      tolerance: paymentRoundingMax(filled),
    },
    {
      test: 'Sales, deductions and taxable amount add up.',
      left: values.sales,
      right: add(values.deductions, values.taxable),
      tolerance: money(0),
    },
  ];
  const taxable = lineWithRole(filled.form, 'taxable');
  if (taxable !== '') {
    checks.push({
      test: `Line ${taxable} is the taxable amount of the sales.`,
      left: withoutPurchases(taxable),
      right: figures.taxable,
      // A line that adds up a schedule differs by half a unit of each row.
      tolerance: money(unit === 100 ? 200 + 50 * rowsOf(filled) : 0),
    });
  }
  return checks;
};

/** Returns the maximum rounding of fees, prepayments and credits on a form in whole dollars: half a dollar each. */
export const paymentRoundingMax = (
  filled: Pick<FilledReturn, 'form' | 'values' | 'prepayments' | 'credits'>,
): Money => {
  if (unitOf(filled.form) === 1) return ZERO;
  const amounts = [feesOf(filled), filled.prepayments.used, filled.credits.used];
  return money(50 * amounts.filter((amount) => amount !== ZERO).length);
};

/** Returns the maximum rounding of the tax collected: half a dollar if the form's tax is in whole dollars. */
export const ruleRoundingMax = ({ lines }: Pick<FilledReturn, 'lines'>): Money =>
  lines.some(({ line, round }) => line.role === 'tax' && round === 'dollars') ? money(50) : ZERO;

/**
 * Returns how far the form's tax can differ from the tax of the sales by rounding alone: half a cent per sale, whose
 * tax is rounded; and, per line and schedule row, half a unit of the form plus a fifth of a unit for the taxable
 * amount.
 */
export const roundingMax = ({
  form,
  figures,
  lines,
  schedules,
}: Pick<FilledReturn, 'form' | 'figures' | 'lines' | 'schedules'>): Money => {
  const unit = unitOf(form);
  const sales = Math.ceil((figures.orders + figures.refunds) / 2);
  const rows = lines.length + rowsOf({ schedules });
  return money(sales + Math.ceil(rows * unit * 0.7));
};

const rowsOf = ({ schedules }: Pick<FilledReturn, 'schedules'>): number =>
  schedules.reduce((count, { rows }) => count + rows.length, 0);

/** Returns the coarsest unit to which any line of the form is rounded, in cents. */
const unitOf = ({ rounding, lines }: ReturnForm): number =>
  rounding === 'dollars' || lines.some(({ round }) => round === 'dollars') ? 100 : 1;
