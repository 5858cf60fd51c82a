import { formatRate, type Rate, rate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import type { TaxContent } from '../tax-content.ts';
import type { OfficialFile } from './official-file.ts';
import { generalRates, missingCounties, type ParsedFile, unknownPlace } from './parsed-file.ts';
import { fileRow, percentOrFraction, quarterOf, stateRateOn } from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

const STATE = 'MO';
const QUARTERS = ['jan', 'apr', 'jul', 'oct'];
/** Maximum number of rows above the header of the workbook. */
const ABOVE_MAX = 20;
/** The counties, including the city of St. Louis, which is independent of any county. */
const COUNTIES = 115;
/** The place code in the line of a county as a whole. */
const NO_PLACE = '00000';

const titleOf = (cell: string): string => cell.toLowerCase().replace(/\s/g, '');

const headerAt = (rows: readonly (readonly string[])[]): number =>
  rows.slice(0, ABOVE_MAX).findIndex((row) => {
    const titles = row.map(titleOf);
    return titles.includes('jurisdictioncode') && titles.some((title) => title.startsWith('salestaxrate'));
  });

export const isMissouri = (rows: readonly (readonly string[])[]): boolean => headerAt(rows) >= 0;

type Line = {
  readonly place: string;
  readonly county: string;
  readonly name: string;
  readonly total: Rate;
  readonly at: string;
};

/**
 * Read the quarterly chart of Missouri. Each code is a place, a county and a district, with their combined rate. The
 * rate of a place is what exceeds that of its county; if that would be negative, the place has the whole local part,
 * and its county none there. Districts are parts of places that only a street address can identify.
 */
export const parseMissouri = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): ParsedFile => {
  const parts = /(jan|apr|jul|oct)[a-z]*[-_ ]?(\d{4})/i.exec(file.name);
  if (!parts)
    throw new ContentRefusedError(file.name, 'the name does not say for which quarter it is, as july2026');
  const period = quarterOf(Number(parts[2]), QUARTERS.indexOf((parts[1] ?? '').toLowerCase()) + 1);
  const stateRate = stateRateOn(content, STATE, period.first, file.name);
  const { lines, districts, otherUse } = linesOf(file, rows);
  const warnings: string[] = [];
  if (districts > 0)
    warnings.push(`${districts} codes with a district were left out: only a street tells where they hold.`);
  if (otherUse > 0)
    warnings.push(
      `${otherUse} places have another use tax rate, which sellers outside of the state charge: the sales tax rates were taken.`,
    );
  const counties = new Map(
    lines.filter(({ place }) => place === NO_PLACE).map((line) => [line.county, line]),
  );
  if (counties.size < COUNTIES - 1) throw missingCounties(file.name, counties.size, COUNTIES);
  const apart = new Map<string, string[]>();
  const dated = { from: period.first, seen: period.first };
  const cities = lines
    .filter(({ place }) => place !== NO_PLACE)
    .map((line): TextRow => {
      const county = counties.get(line.county);
      const local = beyond(line, stateRate);
      const ofCounty = county ? beyond(county, stateRate) : 0;
      const known = content.placesByFips.get(`${STATE} ${line.place}`);
      if (!known) warnings.push(unknownPlace(line.name));
      const isApart = local < ofCounty;
      if (isApart && known) apart.set(line.county, [...(apart.get(line.county) ?? []), known.name]);
      return fileRow(STATE, {
        ...dated,
        level: 'city',
        code: line.place,
        name: known?.name ?? line.name,
        rate: formatRate(rate(isApart ? local : local - ofCounty)),
        ...(known && { scope: 'place', counties: line.county, places: known.name }),
      });
    });
  const ofCounties = [...counties.values()].map((line) =>
    fileRow(STATE, {
      ...dated,
      level: 'county',
      code: line.county,
      name: content.counties.get(`${content.stateFips.get(STATE)}${line.county}`) ?? line.name,
      scope: 'county',
      counties: line.county,
      except_places: (apart.get(line.county) ?? []).join(';'),
      rate: formatRate(rate(beyond(line, stateRate))),
    }),
  );
  return generalRates(STATE, {
    kind: 'missouri',
    period,
    rows: lines.length + districts,
    localRates: [...ofCounties, ...cities],
    warnings,
  });
};

const beyond = ({ total, at }: Line, stateRate: Rate): number => {
  if (total < stateRate) throw new ContentRefusedError(at, 'the rate is lower than that of the state');
  return total - stateRate;
};

const linesOf = (file: OfficialFile, rows: readonly (readonly string[])[]) => {
  const top = headerAt(rows);
  const titles = (rows[top] ?? []).map(titleOf);
  const [nameAt, codeAt] = [titles.indexOf('jurisdictionname'), titles.indexOf('jurisdictioncode')];
  const salesAt = titles.findIndex((title) => title.startsWith('salestaxrate'));
  const useAt = titles.findIndex((title) => title.startsWith('usetaxrate'));
  const lines: Line[] = [];
  const seen = new Set<string>();
  let [districts, otherUse] = [0, 0];
  for (const [index, row] of rows.slice(top + 1).entries()) {
    const code = row[codeAt] ?? '';
    if (code === '') continue;
    const at = `${file.name}: row ${top + index + 2}`;
    const parts = /^(\d{5})-(\d{3})-(\d{3})$/.exec(code);
    if (!parts) throw new ContentRefusedError(at, `${code} is not a code of a jurisdiction`);
    if (seen.has(code)) throw new ContentRefusedError(at, `${code} stands there twice`);
    seen.add(code);
    const [, place = '', county = '', district] = parts;
    const total = percentOrFraction(row[salesAt] ?? '', at);
    if (district !== '000') {
      districts += 1;
      continue;
    }
    if (useAt >= 0 && (row[useAt] ?? '') !== '' && percentOrFraction(row[useAt] ?? '', at) !== total)
      otherUse += 1;
    lines.push({ place, county, name: row[nameAt] ?? '', total, at });
  }
  return { lines, districts, otherUse };
};
