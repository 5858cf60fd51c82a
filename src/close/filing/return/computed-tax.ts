import { DefectError } from '../../../kernel/errors.ts';
import type { Expression, RoundTo, Term } from '../expression/expression.ts';
import type { ReturnForm } from '../law/return-form.ts';
import { RULE_FIGURES } from './figures.ts';
import { lineWithRole } from './tax-return.ts';

/** Figures without which the tax is computed: those of the remittance rule, and the seller's own purchases. */
const LEFT_OUT: readonly string[] = [...RULE_FIGURES, 'purchases'];

/**
 * Returns the tax that a form's lines come to before the remittance rule, as one expression over figures, rates and
 * schedules: every line that the tax depends on is inlined, rounded as the form rounds it.
 */
export const computedTax = (form: ReturnForm): Expression => {
  const inline = (expression: Expression): Expression => {
    switch (expression.kind) {
      case 'figure':
        return LEFT_OUT.includes(expression.name) ? { kind: 'nothing' } : expression;
      case 'line':
        return lineOf(expression.line);
      case 'sum':
        return sumOf(expression.terms.map(({ sign, of }) => ({ sign, of: inline(of) })));
      case 'product':
        return productOf(inline(expression.amount), expression.rate);
      case 'greatest':
        return { kind: 'greatest', of: expression.of.map(inline) };
      case 'round':
        return rounded(inline(expression.of), expression.to);
      default:
        return expression;
    }
  };
  const lineOf = (number: string): Expression => {
    const found = form.lines.find(({ line }) => line === number);
    if (!found) throw new DefectError(`${form.form} has no line ${number}`);
    return rounded(inline(found.formula.expression), found.round ?? form.rounding);
  };
  return lineOf(lineWithRole(form, 'tax'));
};

const sumOf = (terms: readonly Term[]): Expression => {
  const left = terms.filter(({ of }) => of.kind !== 'nothing');
  const [first] = left;
  if (first === undefined) return { kind: 'nothing' };
  return left.length === 1 && first.sign === 1 ? first.of : { kind: 'sum', terms: left };
};

const productOf = (amount: Expression, rate: Expression): Expression =>
  amount.kind === 'nothing' ? amount : { kind: 'product', amount, rate };

const rounded = (of: Expression, to: RoundTo): Expression =>
  of.kind === 'nothing' ? of : { kind: 'round', to, of };
