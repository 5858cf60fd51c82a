import type { TaxResult } from '../../contract/tax-result.ts';
import { allocate } from '../../kernel/allocate.ts';
import { type Money, money, ZERO } from '../../kernel/money.ts';
import { RATE_ONE, type Rate, ZERO_RATE } from '../../kernel/rate.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';
import { weightsBy } from './fraction.ts';
import { isUsBreakdown, type Level, sumsBy, type TaxModel, topRates } from './tax-model.ts';

/**
 * What one body levies on one sale, and what was collected for it. Over all levels the taxes add up to the expected tax
 * and what was collected to the collected one, to the cent.
 */
export type LevelFigures = {
  readonly level: Level;
  /** The county, city or state; special districts go by the place they lie in, as the interface does not name them. */
  readonly name: string;
  readonly rate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
  readonly collected: Money;
};

type Collected = {
  readonly collected: Money;
  /** The calculation that was proved to be the shop's: it says for whom the shop collected. */
  readonly model: TaxModel | undefined;
  readonly state: string;
};

/**
 * The figures of a sale by level. Collected tax goes to the levels as the proved calculation of the shop has it, or in
 * proportion to what they levy; where nothing is levied it is the state that will ask for it.
 */
export const levelFiguresOf = (
  result: TaxResult | undefined,
  { collected, model, state }: Collected,
): readonly LevelFigures[] => {
  const levied = result ? leviedBy(result) : [];
  if (levied.length === 0) {
    const tax = result?.amount_to_collect ?? ZERO;
    const rate = (model && topRates(model).get('state')) ?? ZERO_RATE;
    if (collected === ZERO && tax === ZERO) return [];
    return [{ level: 'state', name: state, rate, taxable: result?.taxable_amount ?? ZERO, tax, collected }];
  }
  const proved = model && weightsBy(sumsBy(model, (_, level) => level));
  const weights = levied.map(({ level }) => proved?.get(level) ?? 0);
  const isProved = weights.some((weight) => weight > 0);
  const parts = allocate(collected, isProved ? weights : levied.map(({ tax }) => Math.abs(tax)));
  return levied.map((level, index) => ({ ...level, collected: parts[index] ?? ZERO }));
};

/** The tax of a US calculation by level, allocated so that the levels add up to the tax of the order. */
const leviedBy = (result: TaxResult): readonly Omit<LevelFigures, 'collected'>[] => {
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
