import type { Expression, RoundTo } from './expression.ts';

/** The formula fragments with which a workbook refers to the names in an expression. */
export type Fragments = {
  readonly figure: (name: string) => string;
  readonly line: (line: string) => string;
  readonly rate: (name: string) => string;
  readonly schedule: (schedule: string, column: 'taxable' | 'tax') => string;
  readonly taxableAt: (rate: string) => string;
};

/**
 * Writes an expression as a spreadsheet formula without its `=`, with the workbook's references, rounded like its line.
 * One that is rounded as coarsely already is not rounded again.
 */
export const spreadsheetFormula = (expression: Expression, round: RoundTo, fragments: Fragments): string => {
  const text = textOf(expression, fragments);
  const isRounded = expression.kind === 'round' && PLACES[expression.to] <= PLACES[round];
  return isRounded ? text : `ROUND(${text},${PLACES[round]})`;
};

const PLACES = { cents: 2, dollars: 0 } as const;

const textOf = (expression: Expression, fragments: Fragments): string => {
  const inner = (part: Expression): string =>
    part.kind === 'sum' ? `(${textOf(part, fragments)})` : textOf(part, fragments);
  switch (expression.kind) {
    case 'nothing':
      return '0';
    case 'figure':
      return fragments.figure(expression.name);
    case 'line':
      return fragments.line(expression.line);
    case 'rate':
      return fragments.rate(expression.name);
    case 'schedule':
      return fragments.schedule(expression.schedule, expression.column);
    case 'taxable-at':
      return fragments.taxableAt(expression.rate);
    case 'sum':
      return expression.terms
        .map(({ sign, of }, index) => `${sign === 1 ? (index === 0 ? '' : '+') : '-'}${inner(of)}`)
        .join('');
    case 'product':
      return `${inner(expression.amount)}*${inner(expression.rate)}`;
    case 'greatest':
      return `MAX(${expression.of.map((part) => textOf(part, fragments)).join(',')})`;
    case 'round':
      return spreadsheetFormula(expression.of, expression.to, fragments);
  }
};
