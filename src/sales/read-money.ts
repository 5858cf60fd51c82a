import { PRICES_PER_CENT, type Price, parseExactPrice, parseFinePrice, price } from '../kernel/money.ts';
import type { MoneyForm } from './profile-form.ts';

const PLAIN_TEXT = /^-?\d+(?:\.\d*)?$/;

/**
 * Compile a reader of amounts in one declared format. Anything else is not an amount: a group of two digits, a second
 * sign or an undeclared symbol is damage, and is never repaired.
 */
export const moneyReader = (form: MoneyForm): ((text: string) => Price | undefined) => {
  const symbols = [...form.currencySymbols].sort((left, right) => right.length - left.length);
  const group = form.decimal === '.' ? ',' : '.';
  const grouped = groupedPattern(form.decimal, group);
  const parsed = form.finerAmounts === 'round' ? parseFinePrice : parseExactPrice;
  return (text) => {
    if (form.decimal === '.') {
      const usual = usualPrice(text);
      if (usual !== undefined) return usual;
    }
    if (form.decimal === '.' && PLAIN_TEXT.test(text)) return parsed(text);
    const { body, negative } = withoutSign(text, symbols);
    if (!grouped.test(body)) return undefined;
    const digits = body.split(group).join('');
    const plain = form.decimal === '.' ? digits : digits.replace(form.decimal, '.');
    return parsed(negative ? `-${plain}` : plain);
  };
};

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

/** Digits, grouped in threes or not at all, with optional decimals after their mark. */
const groupedPattern = (decimal: string, group: string): RegExp => {
  const whole = `(?:\\d+|\\d{1,3}(?:${literal(group)}\\d{3})+)`;
  return new RegExp(`^(?:${whole}(?:${literal(decimal)}\\d*)?|${literal(decimal)}\\d+)$`);
};

const literal = (mark: string): string => (mark === '.' ? '\\.' : mark);

const withoutSign = (
  text: string,
  symbols: readonly string[],
): { readonly body: string; readonly negative: boolean } => {
  let body = text.replace(/\u00a0|\u202f/g, ' ').trim();
  let signs = 0;
  const take = (is: boolean, rest: string): void => {
    if (!is) return;
    signs += 1;
    body = rest.trim();
  };
  const leadingSign = () => take(/^[-\u2212]/.test(body), body.slice(1));
  const parentheses = () => take(/^\(.*\)$/.test(body), body.slice(1, -1));
  parentheses();
  leadingSign();
  const bare = withoutSymbol(body, symbols);
  // The Accounting format of spreadsheets writes zero as a line behind the symbol.
  if (bare === '-' && bare !== body && signs === 0) return { body: '0', negative: false };
  body = bare;
  parentheses();
  leadingSign();
  take(body.endsWith('-'), body.slice(0, -1));
  // Two signs do not make a positive number but are damage; the original text is returned and will not parse.
  return signs > 1 ? { body: text, negative: false } : { body, negative: signs === 1 };
};

const withoutSymbol = (text: string, symbols: readonly string[]): string => {
  const front = symbols.find((symbol) => text.startsWith(symbol));
  if (front !== undefined) return text.slice(front.length).trim();
  const back = symbols.find((symbol) => text.endsWith(symbol));
  return back === undefined ? text : text.slice(0, -back.length).trim();
};
