import { add, type Money, negate, sum, ZERO } from '../../../kernel/money.ts';
import { shownChange, shownMoney } from '../../../kernel/text.ts';
import { type Expression, partsOf } from '../expression/expression.ts';
import { amountDue, type ReturnLine, type TaxReturn } from '../return/tax-return.ts';
import { equalCheck, type UploadFile } from './upload-parts.ts';

/** An upload file as its writer makes it. */
export type WrittenFile = UploadFile & {
  /** The lines of the return whose amounts the file has; what they are computed from needs none. */
  readonly carries: readonly string[];
  /** The amount due by the amounts in the file alone. */
  readonly comesTo: Money;
  /** Whether the file says that it amends a return, where it does. */
  readonly namesAmendment?: true;
};

/** Says which amounts of the return a file has no place for, and checks that with them it comes to the amount due. */
export const withAmountsByHand = (
  filed: TaxReturn,
  { carries, comesTo, namesAmendment: _, ...file }: WrittenFile,
): UploadFile => {
  const byHand = notCarried(filed, carries).filter(({ amount }) => amount !== ZERO);
  const due = amountDue(filed);
  const check = equalCheck(
    'The file comes to the amount due, with what is entered by hand.',
    add(comesTo, sum(byHand.map(({ amount }) => amount))),
    due,
  );
  const amounts = byHand.map(({ label, amount }) => `${label} ${shownChange(amount)}`).join(', ');
  return {
    ...file,
    checks: [...file.checks, check],
    toComplete:
      byHand.length === 0
        ? file.toComplete
        : [
            `enter by hand what the file has no place for: ${amounts}; the file comes to ${shownMoney(comesTo)}, the return to ${shownMoney(due)}`,
            ...file.toComplete,
          ],
  };
};

/** An amount with the sign that it has in the amount due. */
type SignedAmount = { readonly label: string; readonly amount: Money };

/** Returns the amounts that make up the amount due, without those that a file carries. */
const notCarried = ({ lines }: TaxReturn, carries: readonly string[]): readonly SignedAmount[] => {
  const named = (number: string): ReturnLine | undefined => lines.find(({ line }) => line.line === number);
  const formulaOf = (number: string): Expression =>
    named(number)?.line.formula.expression ?? { kind: 'nothing' };
  const carried = new Set<string>();
  const carry = (number: string): void => {
    if (carried.has(number)) return;
    carried.add(number);
    for (const part of partsOf(formulaOf(number))) if (part.kind === 'line') carry(part.line);
  };
  carries.forEach(carry);

  const ofLine = (number: string, sign: 1 | -1): readonly SignedAmount[] => {
    const line = named(number);
    if (line === undefined || carried.has(number)) return [];
    const inner = formulaOf(number);
    const amount = sign === 1 ? line.amount : negate(line.amount);
    return isOfLines(inner) ? within(inner, sign) : [{ label: line.line.label, amount }];
  };
  const within = (expression: Expression, sign: 1 | -1): readonly SignedAmount[] => {
    switch (expression.kind) {
      case 'line':
        return ofLine(expression.line, sign);
      case 'sum':
        return expression.terms.flatMap((term) => within(term.of, term.sign === sign ? 1 : -1));
      case 'greatest':
        return expression.of.flatMap((of) => within(of, sign));
      case 'round':
        return within(expression.of, sign);
      default:
        return [];
    }
  };
  const due = lines.find(({ line }) => line.role === 'due')?.line.line ?? '';
  return ofLine(due, 1);
};

const OF_LINES: readonly Expression['kind'][] = ['line', 'sum', 'greatest', 'round', 'nothing'];

/** Whether a formula only adds up, compares or rounds other lines. */
const isOfLines = (expression: Expression): boolean => {
  const kinds = [...partsOf(expression)].map(({ kind }) => kind);
  return kinds.includes('line') && kinds.every((kind) => OF_LINES.includes(kind));
};
