import { type Price, parseExactPrice } from '../../kernel/money.ts';
import { calledColumns, normalColumn } from './files/normal-column.ts';
import type { TableRow } from './files/table-row.ts';
import { moneyReader } from './normal/read-money.ts';
import type { AmountExpression, Condition, TextExpression } from './profile/expression.ts';
import type { MoneyForm } from './profile/locale.ts';
import { type AmountOf, amountCompiler, type CellProblem, isProblem, type TextOf } from './read-amount.ts';
import { remembered } from './remembered.ts';
import { saleWords } from './sale-words.ts';

export type Test = (row: TableRow, rows?: readonly TableRow[]) => boolean;

/** Compiles expressions of a profile into functions of the rows below one header. */
export type RowReader = {
  readonly text: (expression: TextExpression) => TextOf;
  readonly amount: (expression: AmountExpression) => AmountOf;
  readonly holds: (condition: Condition) => Test;
  /** Position of a column; -1 if it is missing. */
  readonly indexOf: (column: string) => number;
};

export type RowForm = {
  readonly money?: MoneyForm;
  readonly nullTokens?: readonly string[];
  readonly headerAliases?: Readonly<Record<string, string>>;
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
  const indexOf = (column: string): number => places.get(normalColumn(column)) ?? -1;

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
      const [then, test] = [text(expression.text), holds(expression.when)];
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

  return { text, amount, holds, indexOf };
};

/** Compile an optional expression, if the profile has it. */
export const ifStated = <Expression, Compiled>(
  expression: Expression | undefined,
  compile: (expression: Expression) => Compiled,
): Compiled | undefined => (expression === undefined ? undefined : compile(expression));

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

const hasSign = (
  amount: Price | CellProblem,
  sign: 'positive' | 'negative' | 'zero' | 'not zero',
): boolean => {
  if (isProblem(amount)) return sign === 'zero' && amount.value === '';
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

/** The columns of a numbered family such as `Tax # Value`, in numerical order. */
export const numberedColumns = (
  columns: readonly string[],
  pattern: string,
): readonly (readonly [number, string])[] => {
  const [before = '', after = ''] = pattern.split('#');
  return columns
    .filter((column) => column.startsWith(before) && column.endsWith(after))
    .map((column) => [column.slice(before.length, column.length - after.length), column] as const)
    .filter(([number]) => /^\d{1,4}$/.test(number))
    .map(([number, column]) => [Number(number), column] as const)
    .sort(([left], [right]) => left - right);
};

/** The columns of a text expression, for messages. */
export const columnsOfText = (expression: TextExpression): string => {
  if (typeof expression === 'string') return expression;
  if ('constant' in expression) return expression.constant;
  if ('partOf' in expression) return expression.partOf;
  return 'when' in expression
    ? columnsOfText(expression.text)
    : expression.first.map(columnsOfText).join(' or ');
};

const ENTITY = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}));/gi;

/** Whether a code is a valid character: neither a control character nor a surrogate. */
const isCharacter = (code: number): boolean =>
  code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);

/**
 * Decode HTML entities, so that the text reads as it did in the shop: `Salt &amp; Pepper` becomes Salt & Pepper.
 * Unknown entities stay.
 */
export const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(ENTITY, (entity, decimal?: string, hexadecimal?: string, name?: string) => {
        if (name !== undefined) return saleWords().entities[name] ?? entity;
        const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
        return isCharacter(code) ? String.fromCodePoint(code) : entity;
      })
    : text;
