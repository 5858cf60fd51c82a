import type { ContentGap, RateArea } from '../../contract/content-coverage.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import { type Rate, rate } from '../../kernel/rate.ts';
import type { Sale } from '../sales/sale.ts';
import { type Level, type TaxModel, taxModelOf, topRates } from './tax-model.ts';

/** A sale whose calculation does not explain the collected tax. */
export type OpenVariance = {
  readonly sale: Sale;
  readonly expectation: TaxResult;
  /** The answer about the order of which the sale gives a part back. */
  readonly whole?: TaxResult;
  /** The rates that the tax content lacks at the place; `undefined` if it is complete, or unknown. */
  readonly gap: ContentGap | undefined;
};

/** Where the tax content lacks a rate, for a claim about it. */
export const areaIn = ({ gap }: Pick<OpenVariance, 'gap'>): { readonly area?: RateArea } =>
  gap?.area === undefined ? {} : { area: gap.area };

/** The model of the calculation, with the highest rate of each level and their total. */
export type OpenModel = {
  readonly model: TaxModel;
  readonly rates: ReadonlyMap<Level, Rate>;
  readonly own: Rate;
};

export const openModelOf = ({ sale, expectation }: OpenVariance): OpenModel => {
  const model = taxModelOf(expectation, sale.lines);
  const rates = topRates(model);
  return { model, rates, own: totalRate(rates.values()) };
};

export const totalRate = (rates: Iterable<Rate>): Rate =>
  rate([...rates].reduce((total, each) => total + each, 0));

/** Key of a place: the city of a state, or the ZIP code if there is no city. */
export const placeKeyOf = ({ shipTo }: Pick<Sale, 'shipTo'>): string =>
  `${shipTo.state} ${placeNameOf({ shipTo }).toUpperCase()}`;

export const placeNameOf = ({ shipTo }: Pick<Sale, 'shipTo'>): string => placeNameIn(shipTo);

/** The place name for anything with a city and a ZIP code. */
export const placeNameIn = ({ city, zip }: Pick<Sale['shipTo'], 'city' | 'zip'>): string =>
  city.trim() === '' ? zip.slice(0, 5) : city.trim();
