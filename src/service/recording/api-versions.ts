import { API_VERSIONS, type ApiVersion } from '../../contract/operations.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import { roundBigQuotient } from '../../kernel/decimal.ts';
import { PRICES_PER_CENT } from '../../kernel/money.ts';
import type { RecordingRule } from './recording-rules.ts';

/**
 * Check that the amount is the sum of the lines and the shipping. A line's price times its quantity can exceed 2^53, so
 * the sum uses big integers. Both sides are compared to the cent, because a unit price of four places rarely multiplies
 * to whole cents.
 */
const amountAddsUp: RecordingRule = ({ draft }) => {
  const lines = draft.line_items ?? [];
  if (lines.length === 0) return;
  let sum = magnitude(draft.shipping);
  for (const line of lines) {
    sum += magnitude(line.unit_price) * BigInt(line.quantity ?? 1) - magnitude(line.discount);
  }
  if (toCents(sum) === toCents(magnitude(draft.amount))) return;
  throw new ServiceRefusal(
    400,
    'amount must be equal to the sum of line items and shipping, excluding sales tax.',
  );
};

const magnitude = (amount: number | undefined): bigint => BigInt(Math.abs(amount ?? 0));
const toCents = (amount: bigint): bigint => roundBigQuotient(amount, BigInt(PRICES_PER_CENT));

const taxCodesAreKnown: RecordingRule = ({ draft, content }) => {
  const known = new Set(content.categories.map((category) => category.product_tax_code));
  const sent = (draft.line_items ?? []).flatMap(({ product_tax_code: code }) => code ?? []);
  const unknown = [...new Set(sent)].filter((code) => !known.has(code));
  if (unknown.length > 0) {
    throw new ServiceRefusal(400, `line_items include invalid tax codes: ${unknown.join(', ')}`);
  }
};

/** The rules of each dated version in addition to those of all versions. */
const RULES: Readonly<Record<ApiVersion, readonly RecordingRule[]>> = {
  '2012-01-01': [],
  '2020-08-07': [amountAddsUp],
  '2022-01-24': [amountAddsUp, taxCodesAreKnown],
};

const versionNamed = (name: string | undefined): ApiVersion | undefined =>
  API_VERSIONS.find((version) => version === name);

/** Return the version in force: the one that a request names if it exists, otherwise the account's. */
export const apiVersionInForce = (named: string | undefined, ofAccount: string): string =>
  versionNamed(named) ?? ofAccount;

export const rulesOfVersion = (name: string): readonly RecordingRule[] => {
  const version = versionNamed(name);
  return version === undefined ? [] : RULES[version];
};
