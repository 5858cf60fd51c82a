import { type CalendarDate, DAY_MS } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import {
  formatMoney,
  formatPrice,
  formatRate,
  type Money,
  money,
  type Price,
  price,
  type Rate,
  rate,
} from '../kernel/money.ts';
import { inThousands } from '../kernel/text.ts';

/** The type of a cell's value, by the format of its column. Binary fractions have no format on purpose. */
export type FormatValues = {
  /** Prose and names. */
  text: string;
  /** Identifiers, ZIPs, location codes: text that looks like a number and must never become one. */
  id: string;
  /** A status of one word, centred: `PASS`, `filed`. Use this format for words that a formula computes. */
  status: string;
  'yes-no': boolean;
  money: Money;
  /** The amount by which another could change, always with its sign. */
  change: Money;
  price: Price;
  /** A tax rate, shown as a percentage with six places. */
  rate: Rate;
  count: number;
  date: CalendarDate;
};

export type Format = keyof FormatValues;

export type FormatRule<Value> = {
  /** Excel's number format. */
  readonly code: string;
  readonly align: 'left' | 'right' | 'center';
  readonly isText: boolean;
  /**
   * The content of the file: text as it is, numbers as exact decimal text.
   *
   * @throws {DefectError} when it is neither.
   */
  encode(value: Value): string;
  /** The text of a value that a spreadsheet cannot hold in this format; `undefined` for all others. */
  asText?(value: Value): string | undefined;
  /** The text that the reader sees, close enough to measure it. */
  show(value: Value): string;
};

const MONEY_CODE = '#,##0.00_);(#,##0.00);"–"_)';
/** Text typed over such a cell stays text, even `06037` or `=1`; an edited formula becomes text too. */
const TEXT_CODE = '@';
const PRICE_CODE = '#,##0.00##_);(#,##0.00##);"–"_)';

const textRule = (code: string, align: FormatRule<string>['align']): Omit<FormatRule<string>, 'asText'> => ({
  code,
  align,
  isText: true,
  encode: (value) => {
    if (typeof value !== 'string') throw new DefectError(`${String(value)} is not text`);
    return value;
  },
  show: (value) => value,
});

const figureRule = <Value>(
  code: string,
  encode: (value: Value) => string,
  show: (value: Value) => string,
): FormatRule<Value> => ({ code, align: 'right', isText: false, encode, show });

const moneyRule = (code: string, sign: string): FormatRule<Money> =>
  figureRule(
    code,
    (value) => formatMoney(money(value)),
    (value) => `${sign}${grouped(formatMoney(value))}`,
  );

/** Formats `-1234.5` as `(1,234.5)`. */
const grouped = (text: string): string =>
  text.startsWith('-') ? `(${inThousands(text.slice(1))})` : inThousands(text);

const wholeNumber = (value: number): string => {
  if (!Number.isSafeInteger(value)) throw new DefectError(`${String(value)} is not a whole number`);
  return String(value);
};

/** Serial number of 1970-01-01. Excel counts days from 1899-12-31, including a 29 February 1900 that did not exist. */
const UNIX_EPOCH_SERIAL = 25_569;
/** The first day after that non-existent day: earlier serials mean different days in different programs. */
const FIRST_SERIAL = 61;

const serialOf = (date: CalendarDate): number => Date.parse(date) / DAY_MS + UNIX_EPOCH_SERIAL;

/** Converts a day to Excel's serial number, so that it sorts, filters and subtracts as a date. */
const dateSerial = (date: CalendarDate): string => {
  const serial = serialOf(date);
  if (Number.isFinite(serial) && serial >= FIRST_SERIAL) return String(serial);
  throw new DefectError(`${date} is not a day a spreadsheet can hold`);
};

/** Returns a day before the first serial as text: a register may have a certificate that is valid from 1900-01-01. */
const dayAsText = (date: CalendarDate): string | undefined =>
  serialOf(date) < FIRST_SERIAL ? date : undefined;

export const FORMATS: { readonly [F in Format]: FormatRule<FormatValues[F]> } = {
  text: textRule(TEXT_CODE, 'left'),
  id: textRule(TEXT_CODE, 'left'),
  status: textRule('General', 'center'),
  'yes-no': {
    ...textRule('General', 'center'),
    encode: (value: boolean) => (value ? 'Yes' : 'No'),
    show: (value: boolean) => (value ? 'Yes' : 'No'),
  },
  money: moneyRule(MONEY_CODE, ''),
  change: moneyRule('+#,##0.00_);(#,##0.00);"–"_)', '+'),
  price: figureRule(
    PRICE_CODE,
    (value) => formatPrice(price(value)),
    (value) => grouped(formatPrice(value)),
  ),
  rate: figureRule(
    '0.00##%',
    (value) => formatRate(rate(value)),
    (value) => `${(value / 100_000).toFixed(4)}%`,
  ),
  count: figureRule('#,##0_);(#,##0);"–"_)', wholeNumber, (value) => grouped(String(value))),
  date: {
    code: 'yyyy-mm-dd',
    align: 'center',
    isText: false,
    encode: dateSerial,
    asText: dayAsText,
    show: (value) => value,
  },
};

/** @throws {DefectError} for a text format, in which a formula becomes its own text as soon as someone edits it. */
export const checkComputable = (format: Format): void => {
  if (FORMATS[format].code === TEXT_CODE) {
    throw new DefectError(
      `a formula cannot stand in a ${format} cell; computed words have the format status`,
    );
  }
};

/** Returns the rule of a format whose value type is known only at run time. */
export const ruleOf = (format: Format): FormatRule<unknown> => FORMATS[format];
