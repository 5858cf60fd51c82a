import type { CaBreakdown } from '../../contract/tax-result.ts';
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
  gst_taxable_amount: centsOfBase(bases[0] as number),
  gst_tax_rate: rate(rates[0] as number),
  gst: centsOfRaw(raws[0] as RawTax),
  pst_taxable_amount: centsOfBase(bases[1] as number),
  pst_tax_rate: rate(rates[1] as number),
  pst: centsOfRaw(raws[1] as RawTax),
  qst_taxable_amount: centsOfBase(bases[2] as number),
  qst_tax_rate: rate(rates[2] as number),
  qst: centsOfRaw(raws[2] as RawTax),
});

/** The figures of an order in Canada: levels are gst, pst and qst; the provincial part of an HST is pst. */
export const canadaBreakdown = (order: Order, tax: OrderTax): CaBreakdown => ({
  ...fields(tax, rateOfRaw(tax.raw, tax.taxable)),
  ...(tax.shipping && { shipping: fields(tax.shipping, unitRate(tax.shipping)) }),
  line_items: order.lines.map((line, index) => {
    const unit = tax.lines[index] as UnitTax;
    return { id: line.id, ...fields(unit, unitRate(unit)) };
  }),
});
