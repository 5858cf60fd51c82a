import type { ContentGap } from '../../contract/content-coverage.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import { type Rate, rate } from '../../kernel/rate.ts';
import type { Sale } from '../sales/sale.ts';
import { type Level, type TaxModel, taxModelOf, topRates } from './tax-model.ts';

/** A sale whose own calculation does not explain what was collected. */
export type OpenVariance = {
  readonly sale: Sale;
  readonly expectation: TaxResult;
  /** What the tax content lacks at the place; `undefined` where it is complete, or no one says. */
  readonly gap: ContentGap | undefined;
};

/** The calculation taken apart, with the highest rate of each level. */
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

/** A place as sales name it: the city of a state, or its ZIP where no city is given. */
export const placeKeyOf = ({ shipTo }: Pick<Sale, 'shipTo'>): string =>
  `${shipTo.state} ${placeNameOf({ shipTo }).toUpperCase()}`;

export const placeNameOf = ({ shipTo }: Pick<Sale, 'shipTo'>): string => placeNameIn(shipTo);

/** The same of anything that has a city and a ZIP. */
export const placeNameIn = ({ city, zip }: Pick<Sale['shipTo'], 'city' | 'zip'>): string =>
  city.trim() === '' ? zip.slice(0, 5) : city.trim();
