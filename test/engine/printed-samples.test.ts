import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { TaxContent } from '../../src/content/tax-content.ts';
import { contentWithCountry, contentWithState, defaultContent } from './content-with.ts';
import { taxOf } from './tax-of.ts';

/** The reference was printed before Putnam County exempted clothing in 2024. */
const PRINTED = '2021-06-25';

type Rates = {
  readonly tax_source: 'origin' | 'destination';
  readonly freight_taxable: boolean;
  readonly state?: number;
  readonly county?: number;
  readonly city?: number;
  readonly special?: number;
  readonly country?: number;
  readonly jurisdictions: {
    readonly country: string;
    readonly state?: string;
    readonly county?: string;
  };
};
type Sample = {
  readonly name: string;
  readonly reason: string;
  readonly request: unknown;
  readonly result: object;
  readonly rates?: Rates;
};

const { samples } = JSON.parse(
  readFileSync(new URL('./fixtures/printed-samples.json', import.meta.url), 'utf8'),
) as { samples: Sample[] };

const countyCode = (state: string, county: string): string => {
  for (const [fips, name] of defaultContent.counties) {
    const isHere = defaultContent.countyStates.get(fips) === state;
    if (isHere && name.toUpperCase() === `${county} COUNTY`) return fips.slice(2);
  }
  throw new Error(`${county}, ${state} is not a county`);
};

const contentFor = ({ rates }: Sample): TaxContent => {
  const { country, state, county } = rates?.jurisdictions ?? {};
  if (rates && country === 'US' && state && county) {
    const { state: own = 0, county: ofCounty = 0, city = 0, special = 0 } = rates;
    return contentWithState({
      state,
      countyCode: countyCode(state, county),
      rates: { state: own, county: ofCounty, city, special },
      freightTaxable: rates.freight_taxable,
      inStateSellers: rates.tax_source,
    });
  }
  return rates && country && country !== 'CA'
    ? contentWithCountry(country, rates.country ?? 0)
    : defaultContent;
};

describe('the samples of the public reference come out to the last digit', () => {
  test.for(samples.map((sample) => [sample.name, sample] as const))('%s', ([, sample]) => {
    expect(taxOf(sample.request as object, { content: contentFor(sample), on: PRINTED })).toEqual(
      sample.result,
    );
  });
});
