import { OPEN_END } from '../../src/content/content-folder.ts';
import { loadContent } from '../../src/content/load-content.ts';
import type { CountryContent, LocalRate, StateContent, TaxContent } from '../../src/content/tax-content.ts';
import type { LocalLevel } from '../../src/contract/tax-service.ts';
import { parseRate } from '../../src/kernel/money.ts';

const DATED = { from: '', to: OPEN_END, source: 'test', confidence: 'official-cited' };

const rateOf = (value: number) => {
  const rate = parseRate(String(value));
  if (rate === undefined) throw new Error(`${value} is not a rate`);
  return rate;
};

export const defaultContent: TaxContent = loadContent();

const stateOf = (content: TaxContent, code: string): StateContent => {
  const state = content.states.get(code);
  if (!state) throw new Error(`${code} is not a state`);
  return state;
};

/** A local rate that holds in whole counties. */
export const localRate = (
  state: string,
  level: LocalLevel,
  value: number,
  counties: string[],
): LocalRate => ({
  ...DATED,
  rate: rateOf(value),
  state,
  level,
  code: level,
  name: level,
  tax: 'general',
  scope: 'county',
  counties,
  places: new Set(),
  exceptPlaces: new Set(),
  seen: '',
});

type StateRates = {
  readonly state: string;
  /** Three-digit code of the county in which the local rates hold. */
  readonly countyCode: string;
  readonly rates: Readonly<Record<'state' | LocalLevel, number>>;
  readonly freightTaxable: boolean;
  readonly inStateSellers: 'origin' | 'destination' | 'mixed';
};

/** The default content, with the rates and rules of one state replaced. */
export const contentWithState = (given: StateRates): TaxContent => {
  const state = stateOf(defaultContent, given.state);
  const rows = (['county', 'city', 'special'] as const).map((level) =>
    localRate(given.state, level, given.rates[level], [given.countyCode]),
  );
  const replaced: StateContent = {
    ...state,
    rates: [{ ...DATED, rate: rateOf(given.rates.state), knownSince: '' }],
    localRates: rows,
    localByCounty: new Map([[given.countyCode, rows]]),
    freight: [
      {
        ...DATED,
        rule: given.freightTaxable ? 'in-full' : 'exempt',
        inLimits: false,
        oneItem: false,
        otherwise: '',
      },
    ],
    sourcing: [{ ...DATED, inStateSellers: given.inStateSellers }],
  };
  return {
    ...defaultContent,
    states: new Map([...defaultContent.states, [given.state, replaced]]),
    memory: new Map(),
  };
};

/** The default content, with the rate of one country replaced. */
export const contentWithCountry = (code: string, value: number): TaxContent => {
  const country = defaultContent.countries.get(code);
  if (!country) throw new Error(`${code} is not a country`);
  const replaced: CountryContent = { ...country, rates: [{ ...DATED, rate: rateOf(value), tax: 'vat' }] };
  return {
    ...defaultContent,
    countries: new Map([...defaultContent.countries, [code, replaced]]),
    memory: new Map(),
  };
};
