import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accept, acceptTransaction, readTransaction } from '../../src/contract/accept.ts';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { CreateTransaction, type TransactionKind } from '../../src/contract/transaction.ts';
import { wireSent } from '../../src/contract/wire.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { canonicalJson, type Json } from '../../src/kernel/json.ts';
import { price } from '../../src/kernel/money.ts';
import { REFUND } from './samples.ts';

const { array, assert, constantFrom, double, integer, oneof, option, property, record, string, tuple } = fc;

const RUNS = 2_000;
const LENGTHS = [1, 19, 20, 21, 63, 64, 65, 254, 255, 256];

/** Texts on both sides of every rule: blanks, capitals, lengths, and what no database keeps. */
const text = oneof(
  constantFrom(
    ...['', ' ', 'CA', 'ca', 'US', 'us', 'USA', '90404', 'a-b_1', ' padded ', 'two words', 'ß', 'İ', 'ﬁ'],
  ),
  constantFrom(...['a\0b', '\uD800', 'x\uDC00', '😀', '\u00a0', '\ufeff', 'line\n', 'Zürich', '#1', 'é']),
  tuple(constantFrom('x', 'X', '7', '-'), constantFrom(...LENGTHS)).map(([letter, length]) =>
    letter.repeat(length),
  ),
  string({ maxLength: 12 }),
  string({ unit: 'binary', maxLength: 4 }),
);
const amount = oneof(
  integer({ min: -2_000_000, max: 2_000_000 }),
  constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
).map(price);
const quantity = oneof(
  integer({ min: -1, max: 5 }),
  constantFrom(1e9, 1e9 + 1, 0.5, Number.MAX_SAFE_INTEGER, 2 ** 60),
  double({ noNaN: true }),
);
const at = oneof(
  integer({ min: Date.UTC(1899, 0), max: Date.UTC(2101, 0) }),
  constantFrom(
    Date.UTC(1900, 0) - 1,
    Date.UTC(1900, 0),
    Date.UTC(10_000, 0) - 1,
    Date.UTC(10_000, 0),
    8.64e15,
  ),
).map(instant);
const exemption = constantFrom('wholesale', 'government', 'marketplace', 'other', 'non_exempt');

const maybe = <Value>(value: Parameters<typeof option<Value>>[0]) =>
  option(value, { nil: undefined, freq: 3 });
const textsOf = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, maybe(text)])) as Record<
    Name,
    ReturnType<typeof maybe<string>>
  >;
const line = record(
  {
    ...textsOf('id', 'product_identifier', 'description', 'product_tax_code'),
    quantity: maybe(quantity),
    unit_price: maybe(amount),
    discount: maybe(amount),
    sales_tax: maybe(amount),
  },
  { requiredKeys: [] },
);
const lines = array(line, { maxLength: 2 });
const optionalFields = {
  ...textsOf('provider', 'transaction_reference_id', 'from_country', 'from_zip', 'from_state', 'from_city'),
  ...textsOf('from_street', 'to_city', 'to_street', 'customer_id'),
  exemption_type: maybe(exemption),
  line_items: maybe(lines),
} as const;

/** Right in nearly all fields, so that each of them decides in some of the cases. */
const mostly = <Value>(usual: Value, other: Parameters<typeof option<Value>>[0]) =>
  oneof({ weight: 12, arbitrary: constantFrom(usual) }, { weight: 1, arbitrary: other });
const required = {
  transaction_id: mostly('order-1', text),
  transaction_date: mostly(instant(Date.UTC(2026, 9, 15)), at),
  to_country: mostly('US', text),
  to_zip: mostly('90404', text),
  to_state: mostly('CA', text),
  amount,
  shipping: amount,
  sales_tax: amount,
} as const;
const few = { ...required, provider: mostly('api', text), line_items: maybe(lines) } as const;

const kind = constantFrom<TransactionKind[]>('order', 'refund');
const transaction = oneof(
  record({ ...required, ...optionalFields }),
  record({ ...few, ...optionalFields }, { requiredKeys: Object.keys(few) as (keyof typeof few)[] }),
  ...Object.keys(optionalFields).map((name) =>
    record({ ...few, [name]: optionalFields[name as keyof typeof optionalFields] }),
  ),
);
const outcomeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceRefusal) return error.body;
    throw error;
  }
};

/** What the check makes of a transaction, after it was held against what the schema makes of it. */
const checked = (of: TransactionKind, decoded: CreateTransaction): unknown => {
  const outcome = outcomeOf(() => acceptTransaction({ kind: of, transaction: decoded }));
  expect(outcome).toEqual(outcomeOf(() => readTransaction(of, wireSent(decoded))));
  return outcome;
};

test('a decoded transaction is read, or refused, as the schema reads what is written of it', () => {
  const seen = { asItIs: 0, changed: 0, refused: 0 };
  assert(
    property(kind, transaction, (of, given) => {
      const outcome = checked(of, given as CreateTransaction);
      if (outcome === given) seen.asItIs += 1;
      else if (Object.hasOwn(outcome as object, 'detail')) seen.refused += 1;
      else seen.changed += 1;
    }),
    { numRuns: RUNS },
  );
  // Each of the three is reached often, so that none of them is proved by nothing.
  expect(Math.min(seen.asItIs, seen.changed, seen.refused)).toBeGreaterThan(RUNS / 20);
});

test('what is written of a transaction is canonical JSON', () => {
  assert(
    property(transaction, (given) => {
      const written = JSON.stringify(wireSent(given as CreateTransaction));
      expect(written).toBe(canonicalJson(JSON.parse(written) as Json));
    }),
    { numRuns: RUNS },
  );
});

test.each([
  ['10,000 lines', true, Array(10_000).fill({ quantity: 1 })],
  ['10,001 lines', false, Array(10_001).fill({ quantity: 1 })],
  ['a description of 100,000 characters', true, [{ description: 'x'.repeat(100_000) }]],
  ['a description of 100,001 characters', false, [{ description: 'x'.repeat(100_001) }]],
])('so is one with %s', (_, isAccepted, line_items) => {
  const given = { ...accept(CreateTransaction, REFUND), line_items };
  expect(checked('refund', given) === given).toBe(isAccepted);
});
