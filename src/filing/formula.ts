import { Exact } from '../kernel/decimal.ts';
import { CENTS_PER_DOLLAR, type Money, money, RATE_ONE, type Rate } from '../kernel/money.ts';

/**
 * A name in a formula: a figure of the period, another line of the return, a dated rate, the total of a schedule, or the
 * taxable amount of the sales that the state itself taxes at a rate.
 */
export type Name = {
  readonly kind: 'figure' | 'line' | 'rate' | 'schedule' | 'taxable-at';
  readonly name: string;
  /** Of a schedule. */
  readonly column?: 'taxable' | 'tax';
};

/**
 * The formula of a return's line. The language is closed: names, which can be added, subtracted, multiplied by a rate,
 * compared and rounded.
 */
export type Expression =
  | Name
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'sum';
      readonly terms: readonly Term<Expression>[];
    }
  | {
      readonly kind: 'product';
      readonly amount: Expression;
      readonly rate: Expression;
    }
  | {
      readonly kind: 'greatest';
      readonly of: readonly Expression[];
    }
  | {
      readonly kind: 'round';
      readonly to: RoundTo;
      readonly of: Expression;
    };

type Term<Value> = {
  readonly sign: 1 | -1;
  readonly of: Value;
};

/** Rounding of amounts to cents or whole dollars, half away from zero. */
export type RoundTo = 'cents' | 'dollars';

/** What the parts of an expression become, from the innermost outwards. */
type Fold<Value> = {
  readonly nothing: Value;
  readonly name: (name: Name) => Value;
  readonly sum: (terms: readonly Term<Value>[]) => Value;
  readonly product: (amount: Value, rate: Value) => Value;
  readonly greatest: (of: readonly Value[]) => Value;
  readonly round: (of: Value, to: RoundTo) => Value;
};

const fold = <Value>(expression: Expression, into: Fold<Value>): Value => {
  const inner = (part: Expression): Value => fold(part, into);
  switch (expression.kind) {
    case 'nothing':
      return into.nothing;
    case 'sum':
      return into.sum(expression.terms.map(({ sign, of }) => ({ sign, of: inner(of) })));
    case 'product':
      return into.product(inner(expression.amount), inner(expression.rate));
    case 'greatest':
      return into.greatest(expression.of.map(inner));
    case 'round':
      return into.round(inner(expression.of), expression.to);
    default:
      return into.name(expression);
  }
};

/** Lists the names in an expression. */
export const namesIn = (expression: Expression): readonly Name[] =>
  fold<readonly Name[]>(expression, {
    nothing: [],
    name: (name) => [name],
    sum: (terms) => terms.flatMap(({ of }) => of),
    product: (amount, rate) => [...amount, ...rate],
    greatest: (of) => of.flat(),
    round: (of) => of,
  });

/**
 * Parses a line's formula, such as `[1] - [3]`, `[12] * rate.state`, `max(0, collected - expected)` or
 * `dollars(schedule.districts.tax)`. Lines are in brackets; figures are plain names.
 *
 * @throws {SyntaxError} with the position and what was expected there
 */
export const parseExpression = (text: string): Expression => {
  const tokens = tokensOf(text);
  let next = 0;
  const refuse = (why: string): never => {
    throw new SyntaxError(`"${text}": ${why}`);
  };
  const fail = (wanted: string): never => {
    const token = tokens[next];
    return refuse(
      `${wanted} is expected, and ${token ? `"${token.text}" at ${token.at + 1}` : 'the end'} found`,
    );
  };
  const isNext = (wanted: string): boolean => tokens[next]?.text === wanted;
  /** Steps over a sign if it comes next. */
  const took = (wanted: string): boolean => {
    const isThere = isNext(wanted);
    if (isThere) next += 1;
    return isThere;
  };

  const sum = (): Expression => {
    const terms: Term<Expression>[] = [{ sign: 1, of: product() }];
    while (isNext('+') || isNext('-')) {
      const sign = isNext('+') ? 1 : -1;
      next += 1;
      terms.push({ sign, of: product() });
    }
    const [only] = terms;
    if (only && terms.length === 1) return only.of;
    return { kind: 'sum', terms };
  };

  const product = (): Expression => {
    const amount = factor();
    if (!took('*')) return amount;
    const rate = factor();
    if (isNext('*')) fail('the end of a product of two');
    return { kind: 'product', amount, rate };
  };

  /** Reads what follows an opening bracket, up to the closing one. */
  const listed = (): readonly Expression[] => {
    const items = [sum()];
    while (took(',')) items.push(sum());
    if (!took(')')) fail('")"');
    return items;
  };

  const call = (name: string, of: readonly Expression[]): Expression => {
    const [first] = of;
    if (name === 'max') return { kind: 'greatest', of };
    if ((name === 'cents' || name === 'dollars') && first && of.length === 1)
      return { kind: 'round', to: name, of: first };
    if (name === 'taxable_at' && first?.kind === 'rate') return { kind: 'taxable-at', name: first.name };
    return refuse(`there is no ${name} of ${of.length}`);
  };

  const factor = (): Expression => {
    if (took('(')) return listed()[0] ?? fail('a value');
    const word = tokens[next]?.text ?? fail('a value');
    const leaf = leafOf(word) ?? fail('a value');
    next += 1;
    return leaf.kind === 'figure' && took('(') ? call(word, listed()) : leaf;
  };

  const expression = sum();
  if (next < tokens.length) fail('the end');
  return expression;
};

const LEAVES: readonly (readonly [kind: Name['kind'], form: RegExp])[] = [
  ['line', /^\[(.+)\]$/],
  ['rate', /^rate\.(\w+)$/],
  ['schedule', /^schedule\.(\w+)\.(taxable|tax)$/],
  ['figure', /^([a-z]\w*)$/],
];

const leafOf = (word: string): Expression | undefined => {
  if (word === '0') return { kind: 'nothing' };
  for (const [kind, form] of LEAVES) {
    const [, name, column] = form.exec(word) ?? [];
    if (name !== undefined) return { kind, name, ...(column && { column: column as 'taxable' | 'tax' }) };
  }
  return undefined;
};

type Token = {
  readonly text: string;
  readonly at: number;
};

const TOKEN = /\s*(\[[^\]]+\]|[a-z][\w.]*|0|[+\-*(),])\s*/y;

const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[1];
    if (found === undefined) throw new SyntaxError(`"${text}": "${text.slice(at, at + 8)}" means nothing`);
    tokens.push({ text: found, at });
  }
  return tokens;
};

/** Computes the exact, unrounded value of an expression, in dollars. */
export const evaluate = (expression: Expression, exactOf: (name: Name) => Exact): Exact =>
  fold<Exact>(expression, {
    nothing: new Exact(0),
    name: exactOf,
    sum: (terms) => Exact.sum(...terms.map(({ sign, of }) => of.times(sign))),
    product: (amount, rate) => amount.times(rate),
    greatest: (of) => Exact.max(...of),
    round: (of, to) => exactOfMoney(roundExact(of, to)),
  });

export const exactOfMoney = (amount: Money): Exact => new Exact(amount).div(CENTS_PER_DOLLAR);
export const exactOfRate = (value: Rate): Exact => new Exact(value).div(RATE_ONE);

const PLACES = { cents: 2, dollars: 0 } as const;

/** Rounds once to cents or whole dollars, half away from zero, and returns the amount in cents. */
export const roundExact = (value: Exact, to: RoundTo): Money =>
  money(value.toDecimalPlaces(PLACES[to]).times(CENTS_PER_DOLLAR).toNumber() + 0);

/** A spreadsheet formula without its `=`: whether it is a sum, which needs brackets, and how it is rounded already. */
export type FormulaPart = {
  readonly text: string;
  readonly isSum?: true;
  readonly rounded?: RoundTo;
};

/** What counts for nothing: a sum leaves it out. */
export const NO_PART: FormulaPart = { text: '0' };

/**
 * Writes an expression as a spreadsheet formula, rounded like its line. One that is rounded as coarsely already is not rounded
 * again.
 *
 * @param partOf what the workbook has for a name; `NO_PART` if it counts for nothing there
 */
export const spreadsheetPart = (
  expression: Expression,
  round: RoundTo,
  partOf: (name: Name) => FormulaPart,
): FormulaPart => roundedPart(fold(expression, { ...SPREADSHEET, name: partOf }), round);

const roundedPart = (of: FormulaPart, to: RoundTo): FormulaPart => {
  if (of === NO_PART) return of;
  return of.rounded !== undefined && PLACES[of.rounded] <= PLACES[to]
    ? { ...of, rounded: to }
    : { text: `ROUND(${of.text},${PLACES[to]})`, rounded: to };
};

const bracketed = ({ text, isSum }: FormulaPart): string => (isSum ? `(${text})` : text);

const SPREADSHEET: Omit<Fold<FormulaPart>, 'name'> = {
  nothing: { text: '0' },
  sum: (terms) => {
    const left = terms.filter(({ of }) => of !== NO_PART);
    const [first = { sign: 1, of: NO_PART }] = left;
    if (left.length < 2 && first.sign === 1) return first.of;
    const texts = left.map(({ sign, of }, index) => `${SIGNS[sign][index === 0 ? 0 : 1]}${bracketed(of)}`);
    return { text: texts.join(''), isSum: true };
  },
  product: (amount, rate) =>
    amount === NO_PART ? NO_PART : { text: `${bracketed(amount)}*${bracketed(rate)}` },
  greatest: (of) => ({ text: `MAX(${of.map(({ text }) => text).join(',')})` }),
  round: roundedPart,
};

/** The signs of a first and of further terms. */
const SIGNS = { 1: ['', '+'], [-1]: ['-', '-'] } as const;
