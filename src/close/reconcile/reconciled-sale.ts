import type { TaxResult, TaxSource } from '../../contract/tax-result.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import { allocate } from '../../kernel/allocate.ts';
import { type Money, money, negate, ZERO } from '../../kernel/money.ts';
import { moneyOfPrice } from '../../kernel/price.ts';
import { RATE_ONE, type Rate } from '../../kernel/rate.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';
import { type FieldDifference, hasValueDifference } from './compare-record.ts';
import { type Alternative, explainVariance, isUnexplained } from './explain-variance.ts';
import type { Reason } from './reason.ts';
import { isUsBreakdown } from './tax-model.ts';

/** What one body levies on one sale. The taxes of all levels add up to the expected tax, to the cent. */
export type LevelTax = {
  readonly level: 'state' | 'county' | 'city' | 'special';
  /** The county, city or state; special districts go by the place they lie in, because the interface does not name them. */
  readonly name: string;
  readonly rate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
};

export type Status =
  | 'tied out'
  | 'explained'
  | 'unexplained'
  | 'recorded otherwise'
  | 'not recorded'
  | 'not calculated';

/** The three figures of one posted sale and how they relate. Amounts of refunds are negative. */
export type ReconciledSale = {
  readonly status: Status;
  readonly hasNexus: boolean;
  readonly taxSource: TaxSource | null;
  readonly freightTaxable: boolean;
  /** `null` when the service refused to calculate. */
  readonly expected: Money | null;
  readonly taxable: Money;
  /** `null` when the service does not hold the sale. */
  readonly recorded: Money | null;
  readonly reasons: readonly Reason[];
  readonly levels: readonly LevelTax[];
  readonly differences: readonly FieldDifference[];
  /** Why there is no expectation or no record. */
  readonly detail: string;
};

export type ToReconcile = {
  readonly kind: 'order' | 'refund';
  readonly collected: Money;
  readonly shipping: Money;
  readonly expectation:
    | {
        readonly basis: 'calculated' | 'no registration' | 'marketplace';
        readonly result: TaxResult;
        readonly alternatives: readonly Alternative[];
      }
    | undefined;
  readonly recorded: Order | Refund | undefined;
  readonly differences: readonly FieldDifference[];
  readonly detail: string;
};

export const reconcileSale = (given: ToReconcile): ReconciledSale => {
  const sign = given.kind === 'refund' ? negate : (amount: Money) => amount;
  const { expectation, recorded } = given;
  const reasons = expectation
    ? explainVariance({
        collected: given.collected,
        shipping: given.shipping,
        expectation: expectation.result,
        isMarketplace: expectation.basis === 'marketplace',
        alternatives: expectation.alternatives,
      })
    : [];
  const result = expectation?.result;
  return {
    status: statusOf(given, reasons),
    hasNexus: result?.has_nexus ?? false,
    taxSource: result?.tax_source ?? null,
    freightTaxable: result?.freight_taxable ?? false,
    expected: result ? sign(result.amount_to_collect) : null,
    taxable: sign(result?.taxable_amount ?? ZERO),
    recorded: recorded ? moneyOfPrice(recorded.sales_tax) : null,
    reasons: reasons.map((reason) => ({ ...reason, amount: sign(reason.amount) })),
    levels: result
      ? levelsOf(result).map((level) => ({ ...level, taxable: sign(level.taxable), tax: sign(level.tax) }))
      : [],
    differences: given.differences,
    detail: given.detail,
  };
};

const statusOf = (
  { expectation, recorded, differences }: ToReconcile,
  reasons: readonly Reason[],
): Status => {
  if (!recorded) return 'not recorded';
  if (hasValueDifference(differences)) return 'recorded otherwise';
  if (!expectation) return 'not calculated';
  if (reasons.length === 0) return 'tied out';
  return isUnexplained(reasons) ? 'unexplained' : 'explained';
};

/** The tax of a US calculation by level, allocated so that the levels add up to the tax of the order. */
export const levelsOf = (result: TaxResult): readonly LevelTax[] => {
  const { breakdown, jurisdictions } = result;
  if (!breakdown || !isUsBreakdown(breakdown)) return [];
  const state = jurisdictions?.state ?? '';
  const county = jurisdictions?.county ?? '';
  const city = jurisdictions?.city ?? '';
  const rows = [
    {
      level: 'state',
      name: state,
      rate: breakdown.state_tax_rate,
      taxable: breakdown.state_taxable_amount,
      printed: breakdown.state_tax_collectable,
    },
    {
      level: 'county',
      name: county,
      rate: breakdown.county_tax_rate,
      taxable: breakdown.county_taxable_amount,
      printed: breakdown.county_tax_collectable,
    },
    {
      level: 'city',
      name: city,
      rate: breakdown.city_tax_rate,
      taxable: breakdown.city_taxable_amount,
      printed: breakdown.city_tax_collectable,
    },
    {
      level: 'special',
      name: [county, city].filter((name) => name !== '').join(' / '),
      rate: breakdown.special_tax_rate,
      taxable: breakdown.special_district_taxable_amount,
      printed: breakdown.special_district_tax_collectable,
    },
  ] as const;
  const taxed = rows.filter(({ taxable }) => taxable !== ZERO);
  if (taxed.length === 0) return [];
  const taxes = allocate(result.amount_to_collect, taxed.map(weightOf));
  return taxed.map(({ level, name, rate, taxable }, index) => ({
    level,
    name,
    rate,
    taxable,
    tax: taxes[index] ?? ZERO,
  }));
};

/** The unrounded tax where one rate explains the printed one; otherwise, with mixed rates, the printed tax. */
const weightOf = ({ taxable, rate, printed }: { taxable: Money; rate: Rate; printed: Money }): number => {
  const raw = BigInt(taxable) * BigInt(rate);
  const isOneRate = money(Number(roundBigQuotient(raw, BigInt(RATE_ONE)))) === printed;
  const weight = isOneRate ? raw : BigInt(printed) * BigInt(RATE_ONE);
  // Weights are compared with each other only, so four digits fewer lose nothing that a cent could show.
  return Number(weight / 10_000n);
};
