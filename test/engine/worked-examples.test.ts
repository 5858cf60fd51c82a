import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { taxOf } from './tax-of.ts';

type Address = readonly [country: string, state: string, zip: string, city: string];
type Level = {
  readonly rate: string;
  readonly tax: string;
  readonly taxable?: string;
};
type Example = {
  readonly case: string;
  readonly day: string;
  readonly to: Address;
  readonly from: Address;
  readonly item: {
    readonly price: string;
    readonly quantity: number;
    readonly code: string;
  };
  readonly shipping: string;
  readonly nexus: string;
  readonly reason: string;
  readonly expect: {
    readonly taxable: string;
    readonly collect: string;
    readonly rate: string;
    readonly levels: Readonly<Record<string, Level>>;
    readonly source?: string;
    readonly freightTaxable?: boolean;
    readonly county?: string;
  };
};

const { examples } = JSON.parse(
  readFileSync(new URL('./fixtures/worked-examples.json', import.meta.url), 'utf8'),
) as { examples: Example[] };

/** The names of a level's rate, taxable amount and tax in the breakdown of an order. */
const FIELDS: Readonly<Record<string, readonly [string, string, string]>> = {
  state: ['state_tax_rate', 'state_taxable_amount', 'state_tax_collectable'],
  county: ['county_tax_rate', 'county_taxable_amount', 'county_tax_collectable'],
  city: ['city_tax_rate', 'city_taxable_amount', 'city_tax_collectable'],
  special: ['special_tax_rate', 'special_district_taxable_amount', 'special_district_tax_collectable'],
  country: ['country_tax_rate', 'country_taxable_amount', 'country_tax_collectable'],
  gst: ['gst_tax_rate', 'gst_taxable_amount', 'gst'],
  pst: ['pst_tax_rate', 'pst_taxable_amount', 'pst'],
  qst: ['qst_tax_rate', 'qst_taxable_amount', 'qst'],
};

const calculate = ({ to, from, item, shipping, nexus, day }: Example) =>
  taxOf({
    to_country: to[0],
    to_state: to[1],
    to_zip: to[2],
    to_city: to[3],
    from_country: from[0],
    from_state: from[1],
    from_zip: from[2],
    from_city: from[3],
    shipping,
    calculation_date: day,
    nexus_addresses: [{ country: nexus.slice(0, 2), state: nexus.slice(3) }],
    line_items: [{ id: '1', quantity: item.quantity, unit_price: item.price, product_tax_code: item.code }],
  });

describe('worked examples', () => {
  test.for(examples.map((example) => [example.case, example.reason, example] as const))(
    '%s: %s',
    ([, , example]) => {
      const { taxable, collect, rate, source, freightTaxable, county, levels } = example.expect;
      const result = calculate(example);
      expect(result).toMatchObject({
        taxable_amount: Number(taxable),
        amount_to_collect: Number(collect),
        rate: Number(rate),
        ...(source !== undefined && { tax_source: source }),
        ...(freightTaxable !== undefined && { freight_taxable: freightTaxable }),
        ...(county !== undefined && { jurisdictions: { county } }),
      });
      const breakdown = result.breakdown as Record<string, unknown>;
      for (const [level, figures] of Object.entries(levels)) {
        const [rateField, taxableField, taxField] = FIELDS[level] ?? ['', '', ''];
        expect([level, breakdown[rateField], breakdown[taxField]]).toEqual([
          level,
          Number(figures.rate),
          Number(figures.tax),
        ]);
        if (figures.taxable !== undefined) expect(breakdown[taxableField]).toBe(Number(figures.taxable));
      }
    },
  );
});
