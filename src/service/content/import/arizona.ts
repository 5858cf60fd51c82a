import { ContentRefusedError } from '../content-error.ts';
import type { TaxContent } from '../tax-content.ts';
import type { OfficialFile } from './official-file.ts';
import { generalRates, missingCounties, type ParsedFile, unknownPlace } from './parsed-file.ts';
import {
  cityCells,
  countyNamed,
  fileRow,
  percentRate,
  periodFrom,
  rateBeyond,
  stateRateOn,
} from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

const STATE = 'AZ';
/** The classification of retail sales. */
const RETAIL = 17;
const COUNTIES = 15;

export const isArizona = (rows: readonly (readonly string[])[]): boolean =>
  (rows[0] ?? []).slice(0, 3).join(',').toLowerCase() === 'regioncode,regionname,businesscode';

/**
 * Read the rate table of Arizona. Counties have codes of three letters and a rate with the state's in it; cities have
 * two letters and a rate of their own. Three cities share the name of a county that they may not lie in, so the length
 * of the code decides. Reservations and districts are areas that no name leads to.
 */
export const parseArizona = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): ParsedFile => {
  const parts = /(\d{2})(\d{2})(\d{4})\.\w+$/.exec(file.name);
  const period = periodFrom(`${parts?.[3]}-${parts?.[1]}-${parts?.[2]}`, file.name);
  const header = (rows[0] ?? []).map((title) => title.toLowerCase());
  const [rateAt, typeAt] = [header.indexOf('taxrate'), header.indexOf('ratetype')];
  if (rateAt < 0 || typeAt < 0) throw new ContentRefusedError(file.name, 'a column of rates is missing');
  const stateRate = stateRateOn(content, STATE, period.first, file.name);
  const seen = new Set<string>();
  const counties: TextRow[] = [];
  const cities: TextRow[] = [];
  const warnings: string[] = [];
  let others = 0;
  for (const [index, row] of rows.entries()) {
    const [code = '', name = '', business = ''] = row;
    if (index === 0 || Number(business) !== RETAIL || row[typeAt]?.toLowerCase() !== 'percent') continue;
    const place = `${file.name}: row ${index + 1}`;
    if (seen.has(code)) throw new ContentRefusedError(place, `${name} stands there twice`);
    seen.add(code);
    const value = percentRate(row[rateAt] ?? '', place);
    const dated = { from: period.first, seen: period.first };
    const county = code.length === 3 ? countyNamed(content, STATE, name) : undefined;
    if (county !== undefined) {
      const rate = rateBeyond(value, stateRate, place);
      const cells = { level: 'county', code: county, name, scope: 'county', counties: county };
      counties.push(fileRow(STATE, { ...dated, ...cells, rate }));
    } else if (code.length === 2) {
      const cells = cityCells(content, STATE, name);
      if (!cells) warnings.push(unknownPlace(name));
      cities.push(
        fileRow(STATE, { ...dated, level: 'city', code, name, ...cells, rate: rateBeyond(value, 0, place) }),
      );
    } else others += 1;
  }
  if (counties.length !== COUNTIES) throw missingCounties(file.name, counties.length, COUNTIES);
  if (others > 0)
    warnings.push(`${others} reservations and districts were left out: no name of a place leads to them.`);
  return generalRates(STATE, {
    kind: 'arizona',
    period,
    rows: seen.size,
    localRates: [...counties, ...cities],
    warnings,
  });
};
