import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { taxOf } from '../tax-of.ts';

const FILES = ['places', 'categories', 'shipping', 'holidays', 'sourcing', 'abroad'] as const;

type Column =
  | `to_${'country' | 'state' | 'zip' | 'city'}`
  | `from_${'state' | 'zip' | 'city'}`
  | 'id'
  | 'nexus'
  | 'exemption_type'
  | 'date'
  | 'product_tax_code'
  | 'use'
  | 'unit_price'
  | 'quantity'
  | 'shipping'
  | 'rate'
  | 'tax'
  | 'why'
  | 'source'
  | 'sure';

/** One calculation with the tax that its source says; README.md says what the columns mean. */
export type Calculation = Readonly<Record<Column, string>>;

export type Outcome = {
  /** The tax of the service, in dollars or the currency of the country. */
  readonly tax: string;
  readonly flags: readonly string[];
  /** Wrong is `flagged` where the service says that it is in doubt, and `silent` where it does not. */
  readonly verdict: 'right' | 'flagged' | 'silent';
};

export const calculations: readonly Calculation[] = FILES.flatMap((name) =>
  parse<Calculation>(readFileSync(new URL(`./${name}.csv`, import.meta.url), 'utf8'), { columns: true }),
);

/** What the service answers to a calculation, and how that compares with the source. */
export const outcomeOf = (calculation: Calculation): Outcome => {
  const { amount_to_collect, explanation } = answerTo(calculation);
  const tax = Number(amount_to_collect).toFixed(2);
  const flags = explanation?.flags ?? [];
  const wrong = flags.length > 0 ? 'flagged' : 'silent';
  return { tax, flags, verdict: tax === calculation.tax ? 'right' : wrong };
};

const answerTo = (row: Calculation) => {
  const seller = {
    nexus: [],
    ...(row.use !== '' && { buyerUse: row.use as 'business' | 'personal' }),
  };
  const request = {
    ...originOf(row),
    to_country: row.to_country,
    to_state: row.to_state,
    to_zip: row.to_zip,
    to_city: row.to_city,
    shipping: row.shipping,
    calculation_date: row.date,
    explain: true,
    nexus_addresses: nexusOf(row.nexus),
    ...(row.exemption_type !== '' && { exemption_type: row.exemption_type }),
    line_items: [
      { quantity: row.quantity, unit_price: row.unit_price, product_tax_code: row.product_tax_code },
    ],
  };
  return taxOf(request, { seller, on: row.date });
};

/** From Oregon, where nothing is taxed, unless the row says from where. */
const originOf = ({ from_state, from_zip, from_city }: Calculation) =>
  from_state === ''
    ? { from_country: 'US', from_state: 'OR', from_zip: '97204', from_city: 'Portland' }
    : { from_country: 'US', from_state, from_zip, from_city };

/** `US-TX;US-CA`, or `DE` alone where a country has no states. */
const nexusOf = (text: string) =>
  text.split(';').map((region) => ({ country: region.slice(0, 2), state: region.slice(3) || undefined }));
