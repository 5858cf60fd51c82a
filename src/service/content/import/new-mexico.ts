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

const STATE = 'NM';
const REMAINDER = /^Remainder of County\s*-\s*/i;
/** Names of areas within cities and counties, which cannot be found by the name of a place. */
const AREAS = /\b(?:airport|tidd?|tif|industrial park|fairgrounds|water|sanitation|land|lake|canyon)\b/i;
/** Number of counties with land outside of their cities. */
const REMAINDERS = 32;

const columnsOf = (rows: readonly (readonly string[])[]): ReadonlyMap<string, number> =>
  new Map((rows[0] ?? []).map((title, index) => [title.toLowerCase(), index]));

export const isNewMexico = (rows: readonly (readonly string[])[]): boolean => {
  const columns = columnsOf(rows);
  return ['name', 'county', 'locat_cdr', 'grt_rate'].every((title) => columns.has(title));
};

/**
 * Read the districts of New Mexico's gross receipts tax. A rate includes that of the state; the rest is the whole local
 * part of a city, or of a county outside of its cities. Tribal areas have two rates, depending on the buyer, and other
 * districts are small areas: neither can be found by the name of a place.
 */
export const parseNewMexico = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): ParsedFile => {
  const period = periodOf(file);
  const stateRate = stateRateOn(content, STATE, period.first, file.name);
  const columns = columnsOf(rows);
  const warnings: string[] = [];
  const found = new Map<string, TextRow>();
  let others = 0;
  for (const [index, row] of rows.entries()) {
    if (index === 0) continue;
    const place = `${file.name}: row ${index + 1}`;
    const cell = (title: string): string => row[columns.get(title) ?? -1] ?? '';
    const [name, code] = [cell('name'), cell('locat_cdr')];
    const isRemainder = REMAINDER.test(name);
    if (code === '' || (!isRemainder && AREAS.test(name))) {
      others += 1;
      continue;
    }
    if (!/^\d{2}-\d{3}$/.test(code))
      throw new ContentRefusedError(place, `${code} is not a code of a location`);
    const county = countyNamed(content, STATE, cell('county'));
    if (county === undefined) throw new ContentRefusedError(place, `${cell('county')} is not a county`);
    const value = rateBeyond(percentRate(cell('grt_rate'), place), stateRate, place);
    const known = found.get(code);
    if (known && known['rate'] !== value) throw new ContentRefusedError(place, `${code} has two rates`);
    const area = isRemainder
      ? { level: 'county', scope: 'unincorporated', counties: county }
      : cityCells(content, STATE, name, county);
    if (!area) warnings.push(unknownPlace(name));
    found.set(
      code,
      fileRow(STATE, {
        level: 'city',
        name: name.replace(REMAINDER, ''),
        from: period.first,
        seen: period.first,
        ...area,
        code,
        rate: value,
      }),
    );
  }
  const localRates = [...found.values()];
  const remainders = localRates.filter((row) => row['scope'] === 'unincorporated').length;
  if (remainders < REMAINDERS) throw missingCounties(file.name, remainders, REMAINDERS);
  if (others > 0)
    warnings.push(`${others} tribal and small areas were left out: no name of a place leads to them.`);
  return generalRates(STATE, {
    kind: 'new-mexico',
    period,
    rows: rows.length - 1,
    localRates,
    warnings,
  });
};

/** Read the half year in the name of the file or its archive, such as `..._July_2026_June_2027`. */
const periodOf = ({ name, offered }: OfficialFile) => {
  const parts = /(jan|jul)[a-z]*[-_ ]+(?:[a-z]+[-_ ]+)?(\d{4})/i.exec(`${name} ${offered}`);
  const month = parts?.[1]?.toLowerCase() === 'jan' ? '01' : '07';
  return periodFrom(`${parts?.[2]}-${month}-01`, name);
};
