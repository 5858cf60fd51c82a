import type { Money } from '../../../kernel/money.ts';
import type { Rate } from '../../../kernel/rate.ts';
import {
  addExact,
  type ExactDollars,
  exactOfMoney,
  exactOfRate,
  isLess,
  multiplyExact,
  NOTHING,
  negateExact,
  roundExact,
} from './exact-dollars.ts';
import type { Expression } from './expression.ts';

/** Where an expression finds what it names. */
export type Environment = {
  readonly figure: (name: string) => Money;
  readonly line: (line: string) => Money;
  readonly rate: (name: string) => Rate;
  readonly schedule: (schedule: string, column: 'taxable' | 'tax') => Money;
  readonly taxableAt: (rate: Rate) => Money;
};

/** The exact, unrounded value of an expression. */
export const evaluate = (expression: Expression, environment: Environment): ExactDollars => {
  const exactOf = (part: Expression): ExactDollars => evaluate(part, environment);
  switch (expression.kind) {
    case 'nothing':
      return NOTHING;
    case 'figure':
      return exactOfMoney(environment.figure(expression.name));
    case 'line':
      return exactOfMoney(environment.line(expression.line));
    case 'rate':
      return exactOfRate(environment.rate(expression.name));
    case 'schedule':
      return exactOfMoney(environment.schedule(expression.schedule, expression.column));
    case 'taxable-at':
      return exactOfMoney(environment.taxableAt(environment.rate(expression.rate)));
    case 'sum':
      return expression.terms
        .map(({ sign, of }) => (sign === 1 ? exactOf(of) : negateExact(exactOf(of))))
        .reduce(addExact, NOTHING);
    case 'product':
      return multiplyExact(exactOf(expression.amount), exactOf(expression.rate));
    case 'least':
      return expression.of.map(exactOf).reduce((least, value) => (isLess(value, least) ? value : least));
    case 'greatest':
      return expression.of.map(exactOf).reduce((most, value) => (isLess(most, value) ? value : most));
    case 'round':
      return exactOfMoney(roundExact(exactOf(expression.of), expression.to));
  }
};
