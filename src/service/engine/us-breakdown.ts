import type { UsBreakdown, UsLineBreakdown, UsShippingBreakdown } from '../../contract/tax-result.ts';
import { type Rate, rate } from '../../kernel/money.ts';
import { combinedRate } from './figures.ts';
import type { Order } from './order.ts';
import type { OrderTax } from './order-tax.ts';
import { centsOfBase, centsOfRaw, printedRate, type RawTax } from './raw-tax.ts';
import type { UnitTax } from './unit-tax.ts';

/** Return the combined rate of a unit; for a unit without an amount, the rate that it would have. */
export const unitRate = (unit: UnitTax) => {
  if (unit.taxable !== 0) return combinedRate(unit);
  return printedRate(unit.rates.reduce((total, value) => total + value, 0));
};

const at = <Value>(values: readonly Value[], level: number): Value => values[level] as Value;
const cents = (raws: readonly RawTax[], level: number) => centsOfRaw(at(raws, level));
const base = (bases: readonly number[], level: number) => centsOfBase(at(bases, level));

type Figures = Pick<UnitTax, 'bases' | 'rates' | 'raws' | 'taxable' | 'raw'>;

/**
 * Return a function that prints orders of a country in which the order, its freight and its lines have the same fields
 * for each level.
 */
export const breakdownBy =
  <Fields extends object>(levelsOf: (figures: Figures) => Fields) =>
  (order: Order, tax: OrderTax) => {
    const fields = (figures: Figures, combined: Rate) => ({
      taxable_amount: centsOfBase(figures.taxable),
      tax_collectable: centsOfRaw(figures.raw),
      combined_tax_rate: combined,
      ...levelsOf(figures),
    });
    return {
      ...fields(tax, combinedRate(tax)),
      ...(tax.shipping && { shipping: fields(tax.shipping, unitRate(tax.shipping)) }),
      line_items: order.lines.map(({ id }, index) => {
        const unit = at(tax.lines, index);
        return { id, ...fields(unit, unitRate(unit)) };
      }),
    };
  };

// Copying the fields that both have would cost as much as computing them.
const shippingBreakdown = (unit: UnitTax): UsShippingBreakdown => ({
  taxable_amount: centsOfBase(unit.taxable),
  tax_collectable: centsOfRaw(unit.raw),
  combined_tax_rate: unitRate(unit),
  state_taxable_amount: base(unit.bases, 0),
  state_sales_tax_rate: rate(at(unit.rates, 0)),
  state_amount: cents(unit.raws, 0),
  county_taxable_amount: base(unit.bases, 1),
  county_tax_rate: rate(at(unit.rates, 1)),
  county_amount: cents(unit.raws, 1),
  city_taxable_amount: base(unit.bases, 2),
  city_tax_rate: rate(at(unit.rates, 2)),
  city_amount: cents(unit.raws, 2),
  special_tax_rate: rate(at(unit.rates, 3)),
  special_district_amount: cents(unit.raws, 3),
  special_taxable_amount: base(unit.bases, 3),
});

const lineBreakdown = (id: string, unit: UnitTax): UsLineBreakdown => ({
  id,
  taxable_amount: centsOfBase(unit.taxable),
  tax_collectable: centsOfRaw(unit.raw),
  combined_tax_rate: unitRate(unit),
  state_taxable_amount: base(unit.bases, 0),
  state_sales_tax_rate: rate(at(unit.rates, 0)),
  state_amount: cents(unit.raws, 0),
  county_taxable_amount: base(unit.bases, 1),
  county_tax_rate: rate(at(unit.rates, 1)),
  county_amount: cents(unit.raws, 1),
  city_taxable_amount: base(unit.bases, 2),
  city_tax_rate: rate(at(unit.rates, 2)),
  city_amount: cents(unit.raws, 2),
  special_tax_rate: rate(at(unit.rates, 3)),
  special_district_amount: cents(unit.raws, 3),
  special_district_taxable_amount: base(unit.bases, 3),
});

/** Print the figures of an order in the United States, each rounded once. */
export const usBreakdown = (order: Order, tax: OrderTax): UsBreakdown => ({
  taxable_amount: centsOfBase(tax.taxable),
  tax_collectable: centsOfRaw(tax.raw),
  combined_tax_rate: combinedRate(tax),
  state_taxable_amount: base(tax.bases, 0),
  state_tax_rate: rate(at(tax.rates, 0)),
  state_tax_collectable: cents(tax.raws, 0),
  county_taxable_amount: base(tax.bases, 1),
  county_tax_rate: rate(at(tax.rates, 1)),
  county_tax_collectable: cents(tax.raws, 1),
  city_taxable_amount: base(tax.bases, 2),
  city_tax_rate: rate(at(tax.rates, 2)),
  city_tax_collectable: cents(tax.raws, 2),
  special_district_taxable_amount: base(tax.bases, 3),
  special_tax_rate: rate(at(tax.rates, 3)),
  special_district_tax_collectable: cents(tax.raws, 3),
  ...(tax.shipping && { shipping: shippingBreakdown(tax.shipping) }),
  line_items: order.lines.map((line, index) => lineBreakdown(line.id, at(tax.lines, index))),
});
