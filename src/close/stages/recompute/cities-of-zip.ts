import type { FilingPeriod } from '../../../kernel/period.ts';
import { salesOf } from '../../workspace/sales-of.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The cities that sales of the period were shipped to, by five-digit ZIP, the most frequent first. */
export type CitiesOfZip = () => Promise<ReadonlyMap<string, readonly string[]>>;

/** One pass over the sales of the period, made when it is first asked for: most months never need it. */
export const citiesOfZip = (workspace: Workspace, period: FilingPeriod): CitiesOfZip => {
  let counted: ReturnType<CitiesOfZip> | undefined;
  return () => {
    counted ??= countCities(workspace, period);
    return counted;
  };
};

const countCities = async (workspace: Workspace, period: FilingPeriod): ReturnType<CitiesOfZip> => {
  const counts = new Map<string, Map<string, number>>();
  for await (const { sales } of salesOf(workspace, period)) {
    for (const { sale } of sales) {
      const zip = sale.shipTo.zip.slice(0, 5);
      const city = sale.shipTo.city.toUpperCase();
      if (zip === '' || city === '') continue;
      const cities = counts.get(zip) ?? new Map<string, number>();
      counts.set(zip, cities.set(city, (cities.get(city) ?? 0) + 1));
    }
  }
  return new Map([...counts].map(([zip, cities]) => [zip, byFrequency(cities)]));
};

const byFrequency = (cities: ReadonlyMap<string, number>): readonly string[] =>
  [...cities]
    .sort(([left, leftCount], [right, rightCount]) => rightCount - leftCount || (left < right ? -1 : 1))
    .map(([city]) => city);
