import type { FilingPeriod } from '../../../kernel/period.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import { sweepPages } from '../../period-sales/sweep-pages.ts';
import type { Sale } from '../../sales/sale.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import { keepPage, readPage } from '../../workspace/stage-pages.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Returns the cities that sales of the period were shipped to, by five-digit ZIP, the most frequent first. */
export type CitiesOfZip = () => Promise<ReadonlyMap<string, readonly string[]>>;

/** Returns the cities for the ZIP of a sale. */
export const citiesAt = (
  { shipTo }: Pick<Sale, 'shipTo'>,
  cities: Awaited<ReturnType<CitiesOfZip>> | undefined,
): readonly string[] => cities?.get(shipTo.zip.slice(0, 5)) ?? [];

/** Counts the cities in one pass over the period, made on first use: most months never need it. */
export const citiesOfZip = (workspace: Workspace, period: FilingPeriod): CitiesOfZip => {
  let counted: ReturnType<CitiesOfZip> | undefined;
  return () => {
    counted ??= countCities(workspace, period);
    return counted;
  };
};

const countCities = async (workspace: Workspace, period: FilingPeriod): ReturnType<CitiesOfZip> => {
  const counts = new Map<string, Map<string, number>>();
  for await (const page of salesOf(workspace, period))
    for (const { zip, city, sales } of await citiesIn(workspace, page)) {
      const cities = counts.get(zip) ?? new Map<string, number>();
      counts.set(zip, cities.set(city, (cities.get(city) ?? 0) + sales));
    }
  await sweepPages(workspace, 'cities', period);
  return new Map([...counts].map(([zip, cities]) => [zip, byFrequency(cities)]));
};

type ZipCity = { readonly zip: string; readonly city: string; readonly sales: number };

/** Returns the cities of one page, from the last count if none of its sales has changed. */
const citiesIn = async (workspace: Workspace, page: SalesPage): Promise<readonly ZipCity[]> => {
  const { slot, content } = page;
  const known = content === undefined ? undefined : await readPage<ZipCity>(workspace, 'cities', slot);
  if (known && known.input === content) return known.rows;
  const found = new Map<string, ZipCity>();
  for (const { sale } of page.sales) {
    const zip = sale.shipTo.zip.slice(0, 5);
    const city = sale.shipTo.city.toUpperCase();
    if (zip === '' || city === '') continue;
    const sales = 1 + (found.get(`${zip} ${city}`)?.sales ?? 0);
    found.set(`${zip} ${city}`, { zip, city, sales });
  }
  const rows = [...found.values()];
  if (content !== undefined) await keepPage(workspace, 'cities', slot, { input: content, open: 0, rows });
  return rows;
};

const byFrequency = (cities: ReadonlyMap<string, number>): readonly string[] =>
  [...cities]
    .sort(([left, leftCount], [right, rightCount]) => rightCount - leftCount || (left < right ? -1 : 1))
    .map(([city]) => city);
