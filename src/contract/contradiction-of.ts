import {
  formatMoney,
  formatRate,
  type Money,
  moneyOfPrice,
  type Price,
  price,
  RATE_ONE,
  ZERO,
  ZERO_PRICE,
} from '../kernel/money.ts';
import { Amount } from './scalars.ts';
import type { TaxRequestInput } from './tax-request.ts';
import type { TaxResult, UsBreakdown } from './tax-result.ts';

/** Services print rates with five places or more. */
const RATE_STEP = RATE_ONE / 100_000;
/** State, county, city, district: a service may round each of them separately. */
const LEVELS = 4;

/**
 * Explain why an answer cannot be right under any law: its parts contradict each other, or it is about a different
 * place than requested. `undefined` for a consistent answer. Differences of cents from rounding lines or levels
 * separately are allowed. The interface states no currency, so the currency is not checked.
 */
export const contradictionOf = (result: TaxResult, request?: TaxRequestInput): string | undefined =>
  (request && ofSale(result, request)) ??
  (hasNegativeLine(result) ? undefined : (ofSigns(result) ?? ofRate(result) ?? ofBreakdown(result))) ??
  (request && ofPlace(result, request));

/** Find amounts with another sign than the sale, or more taxable than was sold. */
const ofSale = (result: TaxResult, request: TaxRequestInput): string | undefined => {
  const parts = [...goodsOf(request), exact(request.shipping)];
  if (!parts.every((part) => part >= 0)) return undefined;
  const negative = [...amountsIn(result)].find((amount) => amount < 0);
  if (negative !== undefined)
    return `it has an amount of ${formatMoney(negative)}, and nothing of the sale is negative`;
  const sold = moneyOfPrice(price(parts.reduce((total, part) => total + part, 0)));
  const { taxable_amount: taxable } = result;
  return taxable > sold + centsOfRounding(result)
    ? `its taxable amount is ${formatMoney(taxable)}, and the sale comes to ${formatMoney(sold)}`
    : undefined;
};

/** Return what was sold without shipping, line by line, in ten-thousandths of a dollar. */
const goodsOf = ({ line_items: lines, amount }: TaxRequestInput): readonly number[] =>
  lines?.length
    ? lines.map(
        ({ unit_price: each, quantity, discount }) => exact(each) * Number(quantity ?? 1) - exact(discount),
      )
    : [exact(amount)];

const exact = (amount: TaxRequestInput['amount']): Price =>
  amount === null || amount === undefined ? ZERO_PRICE : Amount.decode(amount);

/** List the tax and the taxable amount of the answer and of its parts. */
function* amountsIn({ amount_to_collect, taxable_amount, breakdown }: TaxResult): Generator<Money> {
  yield amount_to_collect;
  yield taxable_amount;
  if (!breakdown) return;
  for (const unit of [
    breakdown,
    ...(breakdown.line_items ?? []),
    ...(breakdown.shipping ? [breakdown.shipping] : []),
  ]) {
    yield unit.tax_collectable;
    yield unit.taxable_amount;
  }
  if ('state_tax_collectable' in breakdown) yield* levelsOf(breakdown);
}

/**
 * Whether a line is negative: lines of both signs, at several rates, can add up to a tax that is not the rate times the
 * taxable amount.
 */
const hasNegativeLine = ({ breakdown }: TaxResult): boolean =>
  breakdown?.line_items?.some(({ taxable_amount }) => taxable_amount < 0) === true;

const ofSigns = ({ amount_to_collect: tax, taxable_amount: taxable, has_nexus }: TaxResult) => {
  if (!has_nexus && tax !== ZERO) return `it has tax of ${formatMoney(tax)} and no nexus`;
  if (tax !== ZERO && Math.sign(tax) !== Math.sign(taxable))
    return `it has tax of ${formatMoney(tax)} on a taxable amount of ${formatMoney(taxable)}`;
  return undefined;
};

/** Return by how many cents rounding can change an answer. */
const centsOfRounding = ({ breakdown }: TaxResult): number =>
  LEVELS * (2 + (breakdown?.line_items?.length ?? 0));

const ofRate = (result: TaxResult): string | undefined => {
  const { amount_to_collect: tax, taxable_amount: taxable, rate } = result;
  const exact = (taxable * rate) / RATE_ONE;
  const ofStep = (Math.abs(taxable) * RATE_STEP) / RATE_ONE;
  if (Math.abs(tax - exact) <= centsOfRounding(result) + ofStep) return undefined;
  return `its tax of ${formatMoney(tax)} is not its rate of ${formatRate(rate)} of its taxable amount of ${formatMoney(taxable)}`;
};

const ofBreakdown = (result: TaxResult): string | undefined => {
  const { breakdown, amount_to_collect: tax } = result;
  if (!breakdown) return undefined;
  const units: readonly { readonly tax_collectable: Money }[] = [
    ...(breakdown.line_items ?? []),
    ...(breakdown.shipping ? [breakdown.shipping] : []),
  ];
  const sums = [
    breakdown.tax_collectable,
    ...(breakdown.line_items ? [sumOf(units.map(({ tax_collectable }) => tax_collectable))] : []),
    ...('state_tax_collectable' in breakdown ? [sumOf(levelsOf(breakdown))] : []),
  ];
  const other = sums.find((sum) => Math.abs(sum - tax) > centsOfRounding(result));
  return other === undefined
    ? undefined
    : `its tax is ${formatMoney(tax)}, and a breakdown of it comes to ${formatMoney(other as Money)}`;
};

const levelsOf = (breakdown: UsBreakdown): readonly Money[] => [
  breakdown.state_tax_collectable,
  breakdown.county_tax_collectable,
  breakdown.city_tax_collectable,
  breakdown.special_district_tax_collectable,
];

const sumOf = (amounts: readonly Money[]): number => amounts.reduce((total, each) => total + each, 0);

const ofPlace = (
  { jurisdictions, tax_source }: TaxResult,
  { to_country, to_state, from_state }: TaxRequestInput,
): string | undefined => {
  const asked = tax_source === 'origin' ? from_state : to_state;
  const { state } = jurisdictions ?? {};
  if (String(to_country).toUpperCase() !== 'US' || !isCode(asked) || !isCode(state)) return undefined;
  if (asked.toUpperCase() === state.toUpperCase()) return undefined;
  return `it is about ${state}, and ${asked} was asked about`;
};

const isCode = (state: unknown): state is string => typeof state === 'string' && /^[a-z]{2}$/i.test(state);
