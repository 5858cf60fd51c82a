import { TieoutError } from '../kernel/errors.ts';
import {
  PRICES_PER_CENT,
  type Price,
  parseExactPrice,
  parseFinePrice,
  price,
  ZERO_PRICE,
} from '../kernel/money.ts';
import { nearestNames } from '../kernel/text.ts';
import type { AmountExpression, Condition, Sign, TextExpression } from './expression.ts';
import type { MoneyForm } from './sale-map.ts';
import { withoutEntities } from './sale-words.ts';
import { calledColumns, normalColumn, numberedColumns, remembered, type TableRow } from './table-row.ts';

type Test = (row: TableRow, rows?: readonly TableRow[]) => boolean;

/** Compiles expressions of a profile into functions of the rows below one header. */
export type RowReader = {
  readonly text: (expression: TextExpression) => TextOf;
  /** Texts one behind the other, a mark before each; a single one as it is. */
  readonly texts: (expressions: readonly TextExpression[], mark: string) => TextOf;
  readonly amount: (expression: AmountExpression) => AmountOf;
  readonly holds: (condition: Condition) => Test;
  /** Position of a column; -1 if it is missing. */
  readonly indexOf: (column: string) => number;
};

export type RowForm = {
  readonly money?: MoneyForm;
  readonly nullTokens?: readonly string[];
  readonly headerAliases?: Readonly<Record<string, string>>;
  /** The profile, and all columns that it may name; left out where it may name any. */
  readonly profile?: string;
  readonly columns?: readonly string[];
};

/**
 * Refuse a column that a profile names and does not have: it would be blank in every row.
 *
 * @throws {TieoutError} E_PROFILE_INVALID
 */
export const refuseUnknown = (column: string, { profile, columns }: RowForm): void => {
  if (!columns) return;
  const names = columns.map(normalColumn);
  const name = normalColumn(column);
  const isNumbered = name.includes('#') && numberedColumns(names, name).length > 0;
  if (isNumbered || names.includes(name) || names.includes(name.replace(/ \(\d+\)$/, ''))) return;
  const nearest = nearestNames(column, columns, 2).map((one) => `"${one}"`);
  throw new TieoutError({
    code: 'E_PROFILE_INVALID',
    message: `${profile}: it names "${column}", which is not one of its columns; most like it: ${nearest.join(' or ')}`,
    nextStep: 'Correct it there, or list the column under `columns`.',
  });
};

/** Create a row reader for the columns of a header. */
export const rowReader = (header: readonly string[], form: RowForm = {}): RowReader => {
  const aliases = new Map(
    Object.entries(form.headerAliases ?? {}).map(([from, to]) => [normalColumn(from), normalColumn(to)]),
  );
  const places = new Map<string, number>();
  const names = calledColumns(header).map(normalColumn);
  header.forEach((cell, index) => {
    const name = names[index] ?? '';
    if (!places.has(name)) places.set(name, index);
    const alias = aliases.get(normalColumn(cell));
    if (alias !== undefined && !places.has(alias)) places.set(alias, index);
  });
  return readerAt(places, form);
};

/** Create a row reader for columns at these positions, by normalized name. */
export const readerAt = (places: ReadonlyMap<string, number>, form: RowForm = {}): RowReader => {
  const nothing = new Set(form.nullTokens);
  const money = form.money === undefined ? parseExactPrice : moneyReader(form.money);
  const indexOf = (column: string): number => {
    refuseUnknown(column, form);
    return places.get(normalColumn(column)) ?? -1;
  };

  const cell = (column: string): TextOf => {
    const index = indexOf(column);
    if (index < 0) return () => '';
    return ({ cells }) => {
      const raw = cells[index];
      if (raw === undefined || raw === '') return '';
      const value = isBare(raw) ? raw : withoutEntities(unguarded(raw.trim()));
      return nothing.size > 0 && nothing.has(value) ? '' : value;
    };
  };

  const text = (expression: TextExpression): TextOf => {
    if (typeof expression === 'string') return cell(expression);
    if ('constant' in expression) return () => expression.constant;
    if ('partOf' in expression) {
      const part = remembered(partIn(expression.matches));
      const textOf = cell(expression.partOf);
      return (row) => part(textOf(row));
    }
    if ('when' in expression) {
      const then = text(expression.text);
      const test = holds(expression.when);
      return (row) => (test(row) ? then(row) : '');
    }
    const parts = expression.first.map(text);
    return (row) => {
      for (const part of parts) {
        const found = part(row);
        if (found !== '') return found;
      }
      return '';
    };
  };

  const texts = (expressions: readonly TextExpression[], mark: string): TextOf => {
    const parts = expressions.map(text);
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0) return only;
    return (row) => {
      let joined = '';
      for (const part of parts) joined += mark + part(row);
      return joined;
    };
  };

  const amount = amountCompiler(cell, money, (condition) => holds(condition));

  const holds = (condition: Condition): Test => {
    if ('all' in condition) {
      const tests = condition.all.map(holds);
      return (row, rows) => tests.every((test) => test(row, rows));
    }
    if ('sign' in condition) {
      const amountOf = amount(condition.amount);
      return (row, rows) => hasSign(amountOf(row, rows), condition.sign);
    }
    const textOf = cell(condition.column);
    if ('is' in condition) return (row) => (textOf(row) !== '') === (condition.is === 'filled');
    const test = remembered('in' in condition ? isAmong(condition.in) : isLike(condition.matches));
    return (row) => test(textOf(row));
  };

  return { text, texts, amount, holds, indexOf };
};

/** Compare without regard to case: capitalization varies, but never changes the meaning. */
const isAmong = (texts: readonly string[]): ((text: string) => boolean) => {
  const list = new Set(texts.map((one) => one.toLowerCase()));
  return (text) => list.has(text.toLowerCase());
};

const isLike = (matches: string): ((text: string) => boolean) => {
  const pattern = new RegExp(matches, 'iu');
  return (text) => pattern.test(text);
};

const partIn = (matches: string): ((text: string) => string) => {
  const pattern = new RegExp(matches, 'iu');
  return (text) => pattern.exec(text)?.[1]?.trim() ?? '';
};

const hasSign = (amount: Read, sign: Sign): boolean => {
  if (isProblem(amount)) return sign === 'zero' && isBlank(amount);
  if (sign === 'positive') return amount > 0;
  if (sign === 'negative') return amount < 0;
  return (amount === 0) === (sign === 'zero');
};

const APOSTROPHE = 39;

/**
 * Whether a non-blank cell can be used unchanged: it has no space or non-ASCII character at either end, no leading
 * apostrophe, and no `&`. Nearly all cells can.
 */
const isBare = (cell: string): boolean => {
  const first = cell.charCodeAt(0);
  const last = cell.charCodeAt(cell.length - 1);
  const isWrapped = first <= 32 || first > 126 || first === APOSTROPHE || last <= 32 || last > 126;
  return !isWrapped && !cell.includes('&');
};

/**
 * Remove the apostrophe that reject files and careful users put before a cell to keep it from being read as a formula.
 */
const unguarded = (text: string): string =>
  text.charCodeAt(0) === APOSTROPHE && /^'[=+\-@]/.test(text) ? text.slice(1) : text;

/** A cell whose value does not fit its column: the reason why its record is rejected. */
export type CellProblem = {
  readonly problem: string;
  readonly column: string;
  readonly value: string;
};

export const isProblem = <Value>(value: Value | CellProblem): value is CellProblem =>
  typeof value === 'object' && value !== null && 'problem' in value;

export type TextOf = (row: TableRow) => string;
/** `rows` are all rows of the record, for expressions that need them. */
export type AmountOf = (row: TableRow, rows?: readonly TableRow[]) => Read;

/** An amount, or what is wrong with its cell. */
type Read = Price | CellProblem;

/**
 * Return a compiler of amount expressions into functions of rows.
 *
 * @param cell returns a reader for the text of a column
 * @param money parses an amount
 * @param holds compiles a test into a function of a row
 */
const amountCompiler = (
  cell: (column: string) => TextOf,
  money: (text: string) => Price | undefined,
  holds: (condition: Condition) => (row: TableRow) => boolean,
): ((expression: AmountExpression) => AmountOf) => {
  const cellAmount = (column: string, blank: Price | undefined): AmountOf => {
    const text = cell(column);
    return (row) => {
      const value = text(row);
      const found = value === '' ? blank : money(value);
      return found ?? { problem: value === '' ? 'is blank' : 'is not an amount', column, value };
    };
  };

  /** `blank` is the value of a blank cell; `undefined` if that is a problem. */
  const compiled = (expression: AmountExpression, blank: Price | undefined): AmountOf => {
    if (typeof expression === 'string') return cellAmount(expression, blank);
    if ('orZero' in expression) return compiled(expression.orZero, ZERO_PRICE);
    if ('sum' in expression) return sumOf(expression.sum.map((part) => compiled(part, blank)));
    if ('subtract' in expression) {
      const [whole, part] = expression.subtract;
      return sumOf([compiled(whole, blank)], compiled(part, blank));
    }
    if ('negate' in expression) return sumOf([], compiled(expression.negate, blank));
    if ('constant' in expression) {
      const value = parseExactPrice(expression.constant) ?? ZERO_PRICE;
      return () => value;
    }
    if ('first' in expression) {
      const parts = expression.first.map((part) => compiled(part, undefined));
      return firstOf(blank === undefined ? parts : [...parts, () => blank], isBlank);
    }
    if ('firstNonZero' in expression)
      return firstOf(
        expression.firstNonZero.map((part) => compiled(part, ZERO_PRICE)),
        isZero,
      );
    if ('sumRows' in expression)
      return overRows(compiled(expression.sumRows, blank), (expression.where ?? []).map(holds));
    return onceOf(expression.once, cellAmount(expression.once, undefined), cell(expression.once), blank);
  };
  return (expression) => compiled(expression, undefined);
};

/** @param less what is taken off */
const sumOf =
  (parts: readonly AmountOf[], less?: AmountOf): AmountOf =>
  (row, rows) => {
    let total: Read = ZERO_PRICE;
    for (const part of parts) total = plus(total, part(row, rows), 1);
    return less ? plus(total, less(row, rows), -1) : total;
  };

const overRows =
  (part: AmountOf, tests: readonly ((row: TableRow) => boolean)[]): AmountOf =>
  (row, rows) => {
    let total: Read = ZERO_PRICE;
    for (const each of rows ?? [row])
      if (tests.every((test) => test(each))) total = plus(total, part(each), 1);
    return total;
  };

/** Gives the first amount that is not skipped, or the last where all are. */
const firstOf =
  (parts: readonly AmountOf[], isSkipped: (amount: Read) => boolean): AmountOf =>
  (row, rows) => {
    let last: Read = ZERO_PRICE;
    for (const part of parts) {
      last = part(row, rows);
      if (!isSkipped(last)) return last;
    }
    return last;
  };

const isBlank = (amount: Read): boolean => isProblem(amount) && amount.value === '';

const isZero = (amount: Read): boolean => amount === ZERO_PRICE;

const onceOf =
  (column: string, amount: AmountOf, text: TextOf, blank: Price | undefined): AmountOf =>
  (first: TableRow, rows = [first]) => {
    let found: Price | undefined;
    for (const row of rows) {
      const value = amount(row);
      if (isProblem(value)) {
        if (value.value !== '') return value;
      } else if (found === undefined || found === ZERO_PRICE) found = value;
      else if (value !== ZERO_PRICE && value !== found)
        return { problem: 'differs from the amount on another row of the record', column, value: text(row) };
    }
    return found ?? blank ?? { problem: 'is blank', column, value: '' };
  };

const plus = (left: Read, right: Read, sign: 1 | -1): Read => {
  if (typeof left !== 'number') return left;
  if (typeof right !== 'number') return right;
  const total = left + sign * right;
  if (Number.isSafeInteger(total)) return price(total);
  return { problem: 'makes an amount too large to be exact', column: '', value: String(total) };
};

/**
 * Compile a reader of amounts in one declared format. Anything else is not an amount: a group of two digits, a second
 * sign or an undeclared symbol is damage, and is never repaired.
 */
export const moneyReader = ({
  decimal,
  currencySymbols,
  finerAmounts,
}: MoneyForm): ((text: string) => Price | undefined) => {
  const group = decimal === '.' ? ',' : '.';
  const longestFirst = [...currencySymbols].sort((left, right) => right.length - left.length);
  const symbol = `(?:${longestFirst.map(literal).join('|')})`;
  const whole = `(?:\\d+|\\d{1,3}(?:${literal(group)}\\d{3})+)`;
  const digits = `${whole}(?:${literal(decimal)}\\d*)?|${literal(decimal)}\\d+`;
  const signed = `([-\u2212(])?\\s*${symbol}?\\s*([-\u2212(])?\\s*(${digits})\\s*([-)])?\\s*${symbol}?\\s*(\\))?`;
  const pattern = new RegExp(`^\\s*${signed}\\s*$`);
  // The Accounting format of spreadsheets writes zero as a line behind the symbol.
  const nothing = new RegExp(`^\\s*${symbol}\\s*-\\s*$`);
  const parsed = finerAmounts === 'round' ? parseFinePrice : parseExactPrice;
  return (text) => {
    const usual = decimal === '.' ? usualPrice(text) : undefined;
    if (usual !== undefined) return usual;
    const found = pattern.exec(text);
    if (!found) return nothing.test(text) ? ZERO_PRICE : undefined;
    const [, first = '', second = '', body = '', third = '', last = ''] = found;
    const signs = first + second + third + last;
    if (!SIGNS.has(signs)) return undefined;
    const plain = body.replaceAll(group, '').replace(decimal, '.');
    return parsed(signs === '' ? plain : `-${plain}`);
  };
};

/** The signs that an amount may have: none, or one of those for less than nothing. */
const SIGNS: ReadonlySet<string> = new Set(['', '-', '\u2212', '()']);

const literal = (text: string): string => text.replace(/[.*+?^$()[\]{}|\\/]/g, '\\$&');

const MINUS = 45;
const POINT = 46;
const DIGIT_ZERO = 48;

/**
 * Read the usual cells quickly: up to ten digits, with two decimals or none; `undefined` for any other text. It works
 * character by character, because there are many cells and a regular expression would allocate a match for each.
 */
const usualPrice = (text: string): Price | undefined => {
  const isNegative = text.charCodeAt(0) === MINUS;
  const start = isNegative ? 1 : 0;
  const point = text.length - 3;
  const hasCents = text.charCodeAt(point) === POINT;
  const wholeDigits = (hasCents ? point : text.length) - start;
  if (wholeDigits < 1 || wholeDigits > 10) return undefined;
  let value = 0;
  for (let at = start; at < text.length; at += 1) {
    if (hasCents && at === point) continue;
    const digit = text.charCodeAt(at) - DIGIT_ZERO;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  const cents = hasCents ? value : value * 100;
  return price((isNegative ? -cents : cents) * PRICES_PER_CENT);
};
