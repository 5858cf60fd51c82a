import { readFactTree } from './fact-file.ts';
import { type Cell, tableText } from './table-text.ts';

type RateFacts = {
  readonly from: string | null;
  readonly to: string | null;
  readonly standard?: string;
  readonly components?: Readonly<Record<string, string>>;
};
type CountryFacts = {
  readonly rates?: readonly RateFacts[];
  readonly provinces?: Readonly<Record<string, { readonly rates: readonly RateFacts[] }>>;
  readonly source_keys: readonly string[];
  readonly confidence: string;
};

const taxesOf = (facts: RateFacts): [string, string][] =>
  facts.components ? Object.entries(facts.components) : [['vat', facts.standard ?? '']];

/** The taxes of countries and provinces. */
export const deriveCountries = (folder: string): Record<string, string> => {
  const tree = readFactTree(folder, 'international.json') as {
    countries: Readonly<Record<string, CountryFacts>>;
  };
  const rates: Cell[][] = [];
  for (const [country, facts] of Object.entries(tree.countries).sort()) {
    const source = facts.source_keys.join(' ');
    const regions: (readonly [string, readonly RateFacts[]])[] = [
      ['', facts.rates ?? []],
      ...Object.entries(facts.provinces ?? {}).map(([region, { rates: list }]) => [region, list] as const),
    ];
    for (const [region, list] of regions) {
      for (const row of list) {
        for (const [tax, rate] of taxesOf(row)) {
          rates.push([country, region, tax, rate, row.from, row.to, source, facts.confidence]);
        }
      }
    }
  }
  const dated = ['from', 'to', 'source', 'confidence'];
  return {
    'country-rates.tsv': tableText(['country', 'region', 'tax', 'rate', ...dated], rates),
  };
};
