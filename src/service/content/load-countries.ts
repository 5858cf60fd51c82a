import { ContentDamagedError } from './content-error.ts';
import type { ContentFolder } from './content-folder.ts';
import { datedOf, rateOf, readTable, type TableRow, wordOf } from './content-table.ts';
import type { CodeRate, CountryContent, CountryRate, Territory } from './tax-content.ts';

const countryRate = (row: TableRow): CountryRate => ({
  ...datedOf(row),
  rate: rateOf(row),
  tax: wordOf(row, 'tax', ['vat', 'gst', 'pst', 'qst']),
});

const territory = (row: TableRow): Territory => ({
  ...datedOf(row),
  rate: rateOf(row),
  name: row.cell('name'),
  postcodes: postcodePattern(row),
});

const postcodePattern = ({ place, cell }: TableRow): RegExp => {
  const text = cell('postcodes');
  try {
    return new RegExp(`^(?:${text})$`);
  } catch (cause) {
    throw new ContentDamagedError(place, `${text} is not a pattern of postcodes`, cause);
  }
};

const grouped = <Value>(rows: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value[]> => {
  const groups = new Map<string, Value[]>();
  for (const [key, value] of rows) groups.set(key, [...(groups.get(key) ?? []), value]);
  return groups;
};

/** Countries with their rates, provinces and territories. */
export const loadCountries = (
  folder: ContentFolder,
  confidence: ReadonlySet<string>,
): ReadonlyMap<string, CountryContent> => {
  const rates = readTable(
    folder,
    'country-rates.tsv',
    (row) => [row.cell('country'), row.cell('region'), countryRate(row)] as const,
  );
  const territories = grouped(
    readTable(folder, 'country-territories.tsv', (row) => [row.cell('country'), territory(row)] as const),
  );
  const codeRates = readTable(folder, 'country-code-rates.tsv', (row) => {
    const dated = datedOf(row);
    const value: CodeRate = {
      ...dated,
      region: row.cell('region'),
      rate: rateOf(row),
      taxes: wordOf(row, 'taxes', ['all', 'gst-hst']),
      doubtful: !confidence.has(dated.confidence),
    };
    return [row.cell('country'), row.cell('code'), value] as const;
  });
  const countries = readTable(folder, 'countries.tsv', (row): CountryContent => {
    const code = row.cell('country');
    const own = rates.filter(([country]) => country === code);
    const regional = own.flatMap(([, region, rate]) => (region === '' ? [] : [[region, rate] as const]));
    const byCode = codeRates.flatMap(([country, product, rate]) =>
      country === code ? [[product, rate] as const] : [],
    );
    return {
      code,
      kind: wordOf(row, 'kind', ['us', 'provinces', 'country']),
      vatArea: row.cell('vat_area'),
      rates: own.flatMap(([, region, rate]) => (region === '' ? [rate] : [])),
      provinces: grouped(regional),
      territories: territories.get(code) ?? [],
      codeRates: grouped(byCode),
    };
  });
  return new Map(countries.map((country) => [country.code, country]));
};
