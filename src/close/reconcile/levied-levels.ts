import type { TaxResult } from '../../contract/tax-result.ts';
import { allocate } from '../../kernel/allocate.ts';
import { type Money, money, sum, ZERO } from '../../kernel/money.ts';
import { RATE_ONE, type Rate } from '../../kernel/rate.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';
import { isUsBreakdown, type Level } from './tax-model.ts';

/** One jurisdiction's tax on one sale. Summed over all levels, it equals the tax of the calculation, to the cent. */
export type LeviedLevel = {
  readonly level: Level;
  /**
   * The county, city or state. Special districts take the name of their place, since the interface does not name them.
   */
  readonly name: string;
  readonly rate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
};

/**
 * The tax of a US calculation by level, as printed if the levels add up to the tax of the order; otherwise allocated so
 * that they do.
 */
export const leviedBy = (result: TaxResult): readonly LeviedLevel[] => {
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
  const taxed = rows.filter(({ taxable, printed }) => taxable !== ZERO || printed !== ZERO);
  if (taxed.length === 0) return [];
  const addsUp = sum(taxed.map(({ printed }) => printed)) === result.amount_to_collect;
  const taxes = addsUp
    ? taxed.map(({ printed }) => printed)
    : allocate(result.amount_to_collect, taxed.map(weightOf));
  return taxed.map(({ level, name, rate, taxable }, index) => ({
    level,
    // The place is unknown: this is the tax common to all places in the state.
    name: name === '' ? `${state}, any place` : name,
    rate,
    taxable,
    tax: taxes[index] ?? ZERO,
  }));
};

/** The weight for allocation: the unrounded tax if one rate explains the printed tax, otherwise the printed tax. */
const weightOf = ({ taxable, rate, printed }: { taxable: Money; rate: Rate; printed: Money }): number => {
  const raw = BigInt(taxable) * BigInt(rate);
  const isOneRate = money(Number(roundBigQuotient(raw, BigInt(RATE_ONE)))) === printed;
  const weight = isOneRate ? raw : BigInt(printed) * BigInt(RATE_ONE);
  // Weights are only relative, so dropping four digits loses nothing that could change a cent.
  return Number(weight / 10_000n);
};
