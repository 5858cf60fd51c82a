import type { TaxContent } from '../tax-content.ts';
import type { TextRow } from './table-rows.ts';

/** The cells of a local rate that say what a jurisdiction is called and where it lies. */
export type Area = Readonly<
  Record<'name' | 'scope' | 'counties' | 'places' | 'except_places' | 'note', string>
>;

/** The areas of a jurisdiction, by level and code. */
export type AreaOf = (level: string, code: string) => readonly Area[];

const AREA_CELLS = ['name', 'scope', 'counties', 'places', 'except_places', 'note'] as const;

const area = (cells: Partial<Area>): Area => ({
  name: '',
  scope: 'unmapped',
  counties: '',
  places: '',
  except_places: '',
  note: '',
  ...cells,
});

/**
 * Where jurisdictions lie: as the content has it already, else by the federal codes of counties and places. What
 * neither knows is unmapped: kept, but applied only where a boundary file names it.
 */
export const areasOf = (content: TaxContent, state: string, existing: readonly TextRow[]): AreaOf => {
  const known = new Map<string, Map<string, Area>>();
  for (const row of existing) {
    if (row['state'] !== state) continue;
    const key = `${row['level']} ${row['code']}`;
    const cells = area(Object.fromEntries(AREA_CELLS.map((name) => [name, row[name] ?? ''])));
    const areas = known.get(key) ?? new Map<string, Area>();
    areas.set(`${cells.scope} ${cells.counties} ${cells.places} ${cells.except_places}`, cells);
    known.set(key, areas);
  }
  const stateFips = content.stateFips.get(state) ?? '';
  return (level, code) => {
    const areas = known.get(`${level} ${code}`);
    if (areas) return [...areas.values()];
    if (level === 'county') {
      const name = content.counties.get(`${stateFips}${code}`);
      return [area(name ? { name, scope: 'county', counties: code } : { name: `County ${code}` })];
    }
    const place = level === 'city' ? content.placesByFips.get(`${state} ${code}`) : undefined;
    if (!place) return [area({ name: `${level === 'city' ? 'City' : 'District'} ${code}` })];
    const counties = place.counties.join(' ');
    return [area({ name: place.name, scope: 'place', counties, places: place.name })];
  };
};
