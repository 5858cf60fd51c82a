import {
  anything,
  array,
  assert,
  boolean,
  constantFrom,
  double,
  integer,
  oneof,
  type option,
  property,
  record,
  string,
  tuple,
} from 'fast-check';
import { expect, test } from 'vitest';
import { accept, acceptRequest } from '../../src/contract/accept.ts';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { TaxRequest } from '../../src/contract/tax-request.ts';

const RUNS = 2_000;
const LENGTHS = [1, 19, 20, 21, 63, 64, 65, 254, 255, 256];

/** Texts on both sides of every rule: blanks, capitals, lengths, and what no database keeps. */
const text = oneof(
  constantFrom('', ' ', 'CA', 'ca', 'US', 'us', 'USA', '90404', ' padded ', 'ß', 'ﬁ', 'a\0b', '\uD800', '😀'),
  tuple(constantFrom('x', 'X', '7'), constantFrom(...LENGTHS)).map(([letter, length]) =>
    letter.repeat(length),
  ),
  string({ maxLength: 8 }),
);
const amount = oneof(
  constantFrom('12.50', '0', '-3', '1e3', ' 7.1 ', '', '.', '0.00005', 'x', '9'.repeat(17), '1'.repeat(65)),
  integer({ min: -100_000, max: 100_000 }),
  double(),
  constantFrom(0.1, 1.005, 1e-7, 1e21, Number.NaN, Number.POSITIVE_INFINITY, true),
);
const quantity = oneof(integer({ min: -1, max: 5 }), constantFrom(1e9, 1e9 + 1, 0.5, '3', '', 'x'));
const day = constantFrom('2026-10-15', '2026/10/15', ' 2026-10-15 ', '2026-02-30', '', 'today', 20_261_015);
const exemption = constantFrom('wholesale', 'government', 'marketplace', 'other', 'non_exempt', '', 'none');

/** Right in nearly all fields, so that each of them decides in some of the cases. */
const mostly = <Value>(usual: Value, other: Parameters<typeof option<unknown>>[0]) =>
  oneof(
    { weight: 30, arbitrary: constantFrom<unknown>(usual) },
    { weight: 3, arbitrary: other },
    { weight: 1, arbitrary: oneof(constantFrom(null, undefined), anything({ maxDepth: 1 })) },
  );
const line = record(
  {
    id: mostly('1', text),
    quantity: mostly(1, quantity),
    product_tax_code: mostly('20010', text),
    unit_price: mostly('19.99', amount),
    discount: mostly('0.00', amount),
  },
  { requiredKeys: [] },
);
const request = record(
  {
    from_country: mostly('US', text),
    from_zip: mostly('95814', text),
    from_state: mostly('CA', text),
    from_city: mostly('Sacramento', text),
    from_street: mostly('1201 K Street', text),
    to_country: mostly('US', oneof(text, constantFrom('CA', 'DE'))),
    to_zip: mostly('90404', text),
    to_state: mostly('CA', text),
    to_city: mostly('Santa Monica', text),
    to_street: mostly('', text),
    amount: mostly('15.00', amount),
    shipping: mostly('1.50', amount),
    customer_id: mostly('c-1', text),
    exemption_type: mostly('other', exemption),
    nexus_addresses: mostly(undefined, array(record({ country: text, state: text }), { maxLength: 2 })),
    line_items: mostly([{ quantity: 1, unit_price: '15.00' }], array(line, { maxLength: 2 })),
    calculation_date: mostly('2026-10-15', day),
    explain: mostly(true, boolean()),
    unknown: mostly('ignored', anything()),
  },
  { requiredKeys: ['to_country', 'to_zip', 'to_state', 'shipping', 'line_items'] },
);

const outcomeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceRefusal) return error.body;
    throw error;
  }
};

const isRefused = (given: unknown): boolean => {
  const outcome = outcomeOf(() => acceptRequest(given));
  expect(outcome).toEqual(outcomeOf(() => accept(TaxRequest, given)));
  return Object.hasOwn(outcome as object, 'detail');
};

test('a request is read, or refused, as its schema reads it', () => {
  const seen = { read: 0, refused: 0 };
  assert(
    property(request, (given) => {
      seen[isRefused(given) ? 'refused' : 'read'] += 1;
    }),
    { numRuns: RUNS },
  );
  // Each of the two is reached often, so that neither of them is proved by nothing.
  expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(RUNS / 10);
});

const SALE = { to_country: 'US', to_zip: '90404', to_state: 'CA', shipping: 1 };

test.each([
  ['nothing', true, undefined],
  ['a list', true, [SALE]],
  ['a text', true, 'text'],
  ['10,000 lines', false, { ...SALE, line_items: Array(10_000).fill({ unit_price: 1 }) }],
  ['10,001 lines', true, { ...SALE, line_items: Array(10_001).fill({ unit_price: 1 }) }],
  ['10,001 entries of what it does not know', true, { ...SALE, amount: 1, others: Array(10_001).fill(1) }],
  ['no lines and no amount', true, { ...SALE, line_items: [] }],
])('so is one with %s', (_, isExpected, given) => {
  expect(isRefused(given)).toBe(isExpected);
});
