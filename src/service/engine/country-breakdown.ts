import type { CountryBreakdown } from '../../contract/tax-result.ts';
import { type Rate, rate } from '../../kernel/rate.ts';
import type { Order } from './order.ts';
import type { OrderTax } from './order-tax.ts';
import { centsOfBase, centsOfRaw, type RawTax, rateOfRaw } from './raw-tax.ts';
import type { UnitTax } from './unit-tax.ts';
import { unitRate } from './us-breakdown.ts';

type Figures = Pick<UnitTax, 'bases' | 'rates' | 'raws' | 'taxable' | 'raw'>;

const fields = ({ bases, rates, raws, taxable, raw }: Figures, combined: Rate) => ({
  taxable_amount: centsOfBase(taxable),
  tax_collectable: centsOfRaw(raw),
  combined_tax_rate: combined,
  country_taxable_amount: centsOfBase(bases[0] as number),
  country_tax_rate: rate(rates[0] as number),
  country_tax_collectable: centsOfRaw(raws[0] as RawTax),
});

/** The figures of an order in a country with one tax. */
export const countryBreakdown = (order: Order, tax: OrderTax): CountryBreakdown => ({
  ...fields(tax, rateOfRaw(tax.raw, tax.taxable)),
  ...(tax.shipping && { shipping: fields(tax.shipping, unitRate(tax.shipping)) }),
  line_items: order.lines.map((line, index) => {
    const unit = tax.lines[index] as UnitTax;
    return { id: line.id, ...fields(unit, unitRate(unit)) };
  }),
});
