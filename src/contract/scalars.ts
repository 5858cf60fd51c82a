import * as z from 'zod';
import { type Instant, isWritable, parseDate, parseInstant, startOfUtcDay } from '../kernel/calendar.ts';
import { scaledNumber } from '../kernel/decimal.ts';
import {
  CENTS_PER_DOLLAR,
  money,
  PRICE_ONE,
  parseMoney,
  parsePrice,
  parseRate,
  price,
  RATE_ONE,
  rate,
} from '../kernel/money.ts';

/** Whether a schema would read a decoded value again, as it is, from what is written of it. */
type Check = (value: unknown) => boolean;

const CHECKS = new WeakMap<z.ZodType, Check>();

/** Give a schema the check of its decoded values, which takes a tenth of the time of writing and reading them. */
const checkedBy = <Schema extends z.ZodType>(check: Check, schema: Schema): Schema => {
  CHECKS.set(schema, check);
  return schema;
};

/** Return the check of the decoded values of a schema: of an object, that of its fields. */
export const checkOf = (schema: z.ZodType): Check => {
  const known = CHECKS.get(schema);
  if (known) return known;
  if (!(schema instanceof z.ZodObject)) return () => false;
  const fields = Object.entries<z.ZodType>(schema.shape).map(
    ([name, field]) => [name, checkOf(field)] as const,
  );
  return (value) => {
    for (const [name, check] of fields) if (!check((value as Record<string, unknown>)[name])) return false;
    return true;
  };
};

const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** The output of a schema, in which every field that may be undefined may also be absent. */
export type Decoded<Schema extends z.ZodType, Fields = z.output<Schema>> = {
  readonly [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & { readonly [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Fields[Name] };

/** A schema whose absent value is `undefined`; `null` counts as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => {
  const check = checkOf(schema);
  return checkedBy(
    orAbsent(check),
    schema.nullish().transform((value) => value ?? undefined),
  );
};

/** A list of at most `lengthMax` entries, which may be absent. */
export const optionalList = <Schema extends z.ZodType>(entry: Schema, lengthMax: number) => {
  const check = checkOf(entry);
  return optional(
    checkedBy(
      (list) => Array.isArray(list) && list.length <= lengthMax && list.every(check),
      z.array(entry).max(lengthMax, `must have at most ${lengthMax} entries`),
    ),
  );
};

/** Maximum number of entries of any list; a longer list is refused before its entries are read. */
export const ENTRIES_MAX = 10_000;

/** Read a wire value by a function that returns `undefined` for what breaks the rule. */
const reading =
  <Wire, Value>(read: (wire: Wire) => Value | undefined, rule: string) =>
  (wire: Wire, context: z.core.$RefinementCtx): Value => {
    const value = read(wire);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', input: wire, message: rule });
    return z.NEVER;
  };

/**
 * Read a JSON number or numeric string as an exact value, a whole number of `unit`-ths: most numbers directly, texts and
 * other numbers, such as `1e-7`, digit by digit. Digits after the thirtieth place are the noise of binary fractions.
 */
const decimal = <Value extends number>(
  unit: number,
  of: (count: number) => Value,
  read: (text: string) => Value | undefined,
  rule: string,
) =>
  z.union([z.number(), z.string().max(64)]).transform(
    reading((wire: number | string) => {
      if (typeof wire === 'string') return read(wire.trim());
      const count = scaledNumber(wire, unit);
      if (count !== undefined) return of(count);
      const text = String(wire);
      return read(text.includes('e') ? wire.toFixed(30) : text);
    }, rule),
  );

/**
 * Dollars as a caller sent them: a JSON number or a numeric string. Four decimal places are kept exactly; further ones,
 * which are the noise of binary arithmetic elsewhere, are rounded half away from zero.
 */
export const Amount = checkedBy(
  Number.isSafeInteger,
  decimal(PRICE_ONE, price, parsePrice, 'must be a decimal number'),
);
export const OptionalAmount = optional(Amount);

/** Dollars that the service calculated: whole cents. */
export const Cents = decimal(CENTS_PER_DOLLAR, money, parseMoney, 'must be whole cents');

/** A rate as a decimal fraction. */
export const Fraction = decimal(RATE_ONE, rate, parseRate, 'must be a decimal fraction');

/**
 * Whether every database stores the text unchanged. PostgreSQL has no null character, and half of a surrogate pair is
 * not a character in UTF-8; text that a person wrote contains neither.
 */
export const isKeepable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Such text is well formed but cannot be processed, so it has a status of its own. */
const KEEPABLE = {
  error: 'must not contain null characters or unpaired surrogates',
  params: { status: 422 },
};

/**
 * A number in the place of text, read as its digits. JSON rounds a larger one before anyone sees it, so two ids could
 * become one.
 */
const Digits = z
  .number()
  .refine(
    (value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER,
    'must be text: a number of its size is rounded',
  );

/** A form of text: what is sent is put into it, and refused where that is not possible. */
type TextForm = {
  readonly settle?: (text: string) => string;
  readonly pattern?: RegExp;
  readonly rule?: string;
};

const asSent = (text: string): string => text;
const ANYTHING = /^/;

/** Whether decoded text is as it would be read again. */
const isText = (lengthMax: number, { settle = asSent, pattern = ANYTHING }: TextForm): Check => {
  return (value) =>
    typeof value === 'string' &&
    value !== '' &&
    value.length <= lengthMax &&
    value === settle(value.trim()) &&
    isKeepable(value) &&
    (pattern === ANYTHING || pattern.test(value));
};

const sentText = (lengthMax: number) =>
  z.union([z.string().max(lengthMax, `must be at most ${lengthMax} characters`), Digits]);

/** Text of at most `lengthMax` characters; a number is read as its digits, and `null` and blanks count as absent. */
export const optionalText = (lengthMax: number, form: TextForm = {}) => {
  const { settle = asSent, pattern, rule } = form;
  const kept = sentText(lengthMax)
    .nullish()
    .transform((value) => {
      const text = value === null || value === undefined ? '' : String(value).trim();
      return text === '' ? undefined : settle(text);
    })
    .refine((text) => text === undefined || isKeepable(text), KEEPABLE);
  return checkedBy(
    orAbsent(isText(lengthMax, form)),
    pattern ? kept.refine((text) => text === undefined || pattern.test(text), rule) : kept,
  );
};

/** Text that must be present and not blank. */
export const requiredText = (lengthMax: number, form: TextForm = {}) => {
  const { settle = asSent, pattern, rule } = form;
  const kept = sentText(lengthMax)
    .transform((value) => settle(String(value).trim()))
    .refine((text) => text !== '', { error: 'is missing', abort: true })
    .refine(isKeepable, KEEPABLE);
  return checkedBy(isText(lengthMax, form), pattern ? kept.refine((text) => pattern.test(text), rule) : kept);
};

/** Maximum characters of names and street lines, of codes, and of postal codes. */
export const TEXT_MAX = 255;
export const CODE_MAX = 64;
export const ZIP_MAX = 20;

const COUNTRY: TextForm = {
  settle: (text) => (/^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : text),
  pattern: /^[A-Z]{2}$/,
  rule: 'must be a two-letter ISO code.',
};
export const Country = requiredText(CODE_MAX, COUNTRY);
export const OptionalCountry = optionalText(CODE_MAX, COUNTRY);

const CAPITALS: TextForm = { settle: (text) => text.toUpperCase() };
export const State = optionalText(CODE_MAX, CAPITALS);
export const RequiredState = requiredText(CODE_MAX, CAPITALS);

/** The addresses of a sale as callers send them: from where to where it ships. */
export const SentAddresses = {
  from_country: OptionalCountry,
  from_zip: optionalText(ZIP_MAX),
  from_state: State,
  from_city: optionalText(TEXT_MAX),
  from_street: optionalText(TEXT_MAX),
  to_country: OptionalCountry,
  to_zip: optionalText(ZIP_MAX),
  to_state: State,
  to_city: optionalText(TEXT_MAX),
  to_street: optionalText(TEXT_MAX),
};

/** The provider of a transaction, in small letters. */
export const Provider = optionalText(CODE_MAX, { settle: (text) => text.toLowerCase() });

/** Identifiers of transactions: letters, digits, underscores and dashes. */
export const TRANSACTION_ID = /^[A-Za-z0-9_-]+$/;
export const TransactionId = requiredText(255, {
  pattern: TRANSACTION_ID,
  rule: 'must contain only alphanumeric characters, underscores and dashes',
});

/** A day, `2026-10-31` or `2026/10/31`. */
export const Day = z
  .string()
  .transform(
    reading((text: string) => parseDate(text.trim().replaceAll('/', '-')), 'must be a date (YYYY-MM-DD)'),
  );
export const OptionalDay = optional(Day);

/**
 * The time of a transaction: a day (its first instant in UTC), or a date and time, in UTC unless it has an offset.
 * Slashes instead of dashes are accepted.
 */
export const TransactionDate = checkedBy(
  (at) => isWritable(at as Instant),
  z
    .string()
    .max(64)
    .transform(
      reading((text: string): Instant | undefined => {
        const plain = text.trim().replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3');
        const day = parseDate(plain);
        return day === undefined ? parseInstant(plain) : startOfUtcDay(day);
      }, 'must be a date (YYYY-MM-DD) or an ISO 8601 date and time'),
    ),
);

export const ExemptionType = z.enum(['wholesale', 'government', 'marketplace', 'other', 'non_exempt']);
export type ExemptionType = z.output<typeof ExemptionType>;
const EXEMPTION_TYPES: ReadonlySet<unknown> = new Set(ExemptionType.options);

/** `null` and the empty string count as absent. */
export const OptionalExemptionType = checkedBy(
  orAbsent((type) => EXEMPTION_TYPES.has(type)),
  z
    .union([ExemptionType, z.null(), z.literal('')])
    .optional()
    .transform((type) => (type === null || type === '' ? undefined : type)),
);

const QUANTITY_MAX = 1_000_000_000;

const isQuantity = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= QUANTITY_MAX;

/** A whole number from zero up, sent as a number or as digits. */
export const Quantity = checkedBy(
  isQuantity,
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,10}$/, 'must be a whole number')
        .transform(Number),
    ])
    .refine(isQuantity, 'must be a whole number'),
);
