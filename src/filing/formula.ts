import { roundBigQuotient } from '../kernel/decimal.ts';
import { type Money, money, RATE_PLACES, type Rate } from '../kernel/money.ts';

/**
 * The formula of a return's line. The language is closed: figures of the period, other lines of the same return, dated
 * rates and totals of schedules, which can be added, subtracted, multiplied by a rate, compared and rounded.
 */
export type Expression =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'figure'; readonly name: string }
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'rate'; readonly name: string }
  | { readonly kind: 'schedule'; readonly schedule: string; readonly column: 'taxable' | 'tax' }
  /** The taxable amount of the sales that the state itself taxes at this rate. */
  | { readonly kind: 'taxable-at'; readonly rate: string }
  | { readonly kind: 'sum'; readonly terms: readonly Term[] }
  | { readonly kind: 'product'; readonly amount: Expression; readonly rate: Expression }
  | { readonly kind: 'greatest'; readonly of: readonly Expression[] }
  | { readonly kind: 'round'; readonly to: RoundTo; readonly of: Expression };

export type Term = { readonly sign: 1 | -1; readonly of: Expression };

/** Rounding of amounts to cents or whole dollars, half away from zero. */
export type RoundTo = 'cents' | 'dollars';

/** Yields the expression and everything in it, outermost first. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  switch (expression.kind) {
    case 'sum':
      for (const { of } of expression.terms) yield* partsOf(of);
      break;
    case 'product':
      yield* partsOf(expression.amount);
      yield* partsOf(expression.rate);
      break;
    case 'greatest':
      for (const of of expression.of) yield* partsOf(of);
      break;
    case 'round':
      yield* partsOf(expression.of);
      break;
    default:
  }
}

/**
 * Returns whether an expression is an amount or a rate. Only like kinds are added; an amount can be multiplied by a
 * rate.
 */
export const dimensionOf = (expression: Expression): 'amount' | 'rate' => {
  switch (expression.kind) {
    case 'rate':
      return 'rate';
    case 'sum': {
      const [first] = expression.terms;
      return first ? dimensionOf(first.of) : 'amount';
    }
    default:
      return 'amount';
  }
};

/**
 * Parses a line's formula, such as `[1] - [3]`, `[12] * rate.state`, `max(0, collected - expected)` or
 * `dollars(schedule.districts.tax)`. Lines are in brackets; figures are plain names.
 *
 * @throws {SyntaxError} with the position and what was expected there
 */
export const parseExpression = (text: string): Expression => {
  const tokens = tokensOf(text);
  let next = 0;
  const fail = (wanted: string): never => {
    const token = tokens[next];
    const found = token ? `"${token.text}" at ${token.at + 1}` : 'the end';
    throw new SyntaxError(`"${text}": ${wanted} is expected, and ${found} found`);
  };
  const take = (wanted: string): string => {
    if (tokens[next]?.text !== wanted) fail(`"${wanted}"`);
    next += 1;
    return wanted;
  };
  const isNext = (wanted: string): boolean => tokens[next]?.text === wanted;

  const sum = (): Expression => {
    const terms: Term[] = [{ sign: 1, of: product() }];
    while (isNext('+') || isNext('-')) {
      const sign = tokens[next]?.text === '+' ? 1 : -1;
      next += 1;
      terms.push({ sign, of: product() });
    }
    const [only] = terms;
    if (only && terms.length === 1) return only.of;
    if (new Set(terms.map(({ of }) => dimensionOf(of))).size > 1) {
      throw new SyntaxError(`"${text}": an amount and a rate cannot be added`);
    }
    return { kind: 'sum', terms };
  };

  const product = (): Expression => {
    const left = factor();
    if (!isNext('*')) return left;
    next += 1;
    const right = factor();
    if (isNext('*')) fail('the end of a product of two');
    if (dimensionOf(left) !== 'amount' || dimensionOf(right) !== 'rate') {
      throw new SyntaxError(`"${text}": only an amount can be taken times a rate`);
    }
    return { kind: 'product', amount: left, rate: right };
  };

  const listed = (): Expression[] => {
    const items: Expression[] = [];
    take('(');
    do items.push(sum());
    while (isNext(',') && take(','));
    take(')');
    return items;
  };

  const factor = (): Expression => {
    const token = tokens[next];
    if (!token) return fail('a value');
    if (isNext('(')) {
      const [inner] = listed();
      return inner ?? fail('a value');
    }
    const word = token.text;
    const leaf = leafOf(word);
    if (!leaf) return fail('a value');
    next += 1;
    return isNext('(') && /^\w+$/.test(word) ? call(word, listed(), text) : leaf;
  };

  const expression = sum();
  if (next < tokens.length) fail('the end');
  return expression;
};

const ROUNDINGS: Readonly<Record<string, RoundTo>> = { cents: 'cents', dollars: 'dollars' };

const call = (name: string, given: readonly Expression[], text: string): Expression => {
  const [first] = given;
  if (name === 'max') return { kind: 'greatest', of: given };
  const to = ROUNDINGS[name];
  if (to && first && given.length === 1) return { kind: 'round', to, of: first };
  if (name === 'taxable_at' && first?.kind === 'rate') return { kind: 'taxable-at', rate: first.name };
  throw new SyntaxError(`"${text}": there is no ${name} of ${given.length}`);
};

const leafOf = (word: string): Expression | undefined => {
  if (word === '0') return { kind: 'nothing' };
  const line = /^\[(.+)\]$/.exec(word)?.[1];
  if (line !== undefined) return { kind: 'line', line };
  const rate = /^rate\.(\w+)$/.exec(word)?.[1];
  if (rate !== undefined) return { kind: 'rate', name: rate };
  const [, schedule, column] = /^schedule\.(\w+)\.(taxable|tax)$/.exec(word) ?? [];
  if (schedule !== undefined) {
    return { kind: 'schedule', schedule, column: column === 'tax' ? 'tax' : 'taxable' };
  }
  return /^[a-z]\w*$/.test(word) ? { kind: 'figure', name: word } : undefined;
};

type Token = { readonly text: string; readonly at: number };

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

/** Resolves the names in an expression. */
export type Environment = {
  readonly figure: (name: string) => Money;
  readonly line: (line: string) => Money;
  readonly rate: (name: string) => Rate;
  readonly schedule: (schedule: string, column: 'taxable' | 'tax') => Money;
  readonly taxableAt: (rate: Rate) => Money;
};

/** Computes the exact, unrounded value of an expression. */
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
    case 'greatest':
      return expression.of.map(exactOf).reduce((most, value) => (isLess(most, value) ? value : most));
    case 'round':
      return exactOfMoney(roundExact(exactOf(expression.of), expression.to));
  }
};

/** An exact decimal, `units` × 10^−`places`, for rates and for amounts before rounding. */
type ExactDollars = { readonly units: bigint; readonly places: number };

const NOTHING: ExactDollars = { units: 0n, places: 0 };

export const exactOfMoney = (amount: Money): ExactDollars => ({ units: BigInt(amount), places: 2 });
export const exactOfRate = (value: Rate): ExactDollars => ({ units: BigInt(value), places: RATE_PLACES });

const unitsAt = ({ units, places }: ExactDollars, wanted: number): bigint =>
  units * 10n ** BigInt(wanted - places);

const addExact = (left: ExactDollars, right: ExactDollars): ExactDollars => {
  const places = Math.max(left.places, right.places);
  return { units: unitsAt(left, places) + unitsAt(right, places), places };
};

const negateExact = ({ units, places }: ExactDollars): ExactDollars => ({ units: -units, places });

export const multiplyExact = (left: ExactDollars, right: ExactDollars): ExactDollars => ({
  units: left.units * right.units,
  places: left.places + right.places,
});

const isLess = (left: ExactDollars, right: ExactDollars): boolean =>
  addExact(left, negateExact(right)).units < 0n;

export const PLACES = { cents: 2, dollars: 0 } as const;

/** Rounds once to cents or whole dollars, half away from zero, and returns the amount in cents. */
export const roundExact = (value: ExactDollars, to: RoundTo): Money => {
  const wanted = PLACES[to];
  const units =
    value.places <= wanted
      ? unitsAt(value, wanted)
      : roundBigQuotient(value.units, 10n ** BigInt(value.places - wanted));
  return money(Number(units) * (to === 'dollars' ? 100 : 1));
};

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
