import { type CalendarDate, calendarDate } from '../../../kernel/calendar.ts';
import { formatRate, rate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import { inForce } from '../dated.ts';
import type { StateContent, TaxContent } from '../tax-content.ts';
import { ILLINOIS, locationCells, rateAt } from './illinois-line.ts';
import { compactDate } from './import-dates.ts';
import { knownRates } from './known-rate.ts';
import { linesOf, type OfficialFile } from './official-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { TextRow } from './table-rows.ts';

const WIDTH = 211;
const OVERRIDE_AT = 60;
const BEGIN_AT = 61;
const HIGH_GENERAL_AT = 69;
const RATE_MAX = 1_500_000;

/** Whether a first line has the layout of the general merchandise file of Illinois. */
export const isIllinois = (line: string): boolean =>
  line.length === WIDTH && /^\d{10}/.test(line) && /^[YN ]\d{8}\d{20}/.test(line.slice(OVERRIDE_AT));

type Location = {
  readonly cells: TextRow;
  readonly begin: string;
  /** State and local together, in 1e-7; `undefined` where the rate depends on the street address. */
  readonly combined: number | undefined;
};

/**
 * Read the machine-readable rates of Illinois. A rate includes the state's; what is left is the whole local part of
 * the location, and replaces every general local row of the state from the newest begin date on. Where the rate
 * depends on the street address the file has none, and the rate that the content knows is carried on.
 */
export const parseIllinois = (file: OfficialFile, content: TaxContent): ParsedFile => {
  const locations = locationsOf(file, content);
  const from = newestBegin(file, locations);
  const state = content.states.get(ILLINOIS);
  const stateRate = state && inForce(state.rates, from)?.rate;
  if (!state || stateRate === undefined) {
    throw new ContentRefusedError(file.name, `the content has no rate of ${ILLINOIS} on ${from}`);
  }
  const byStreet = locations.filter(({ combined }) => combined === undefined);
  return {
    kind: 'illinois',
    state: ILLINOIS,
    period: { label: from, first: from, last: from },
    rows: locations.length,
    stateRates: [],
    localRates: locations.map((location) => localRow(file, state, location, stateRate, from)),
    replacesFrom: (row) => (row['state'] === ILLINOIS && row['tax'] === 'general' ? from : undefined),
    warnings: byStreet.map(
      ({ cells }) => `The rate of ${cells['name']} depends on the street: the known rate was carried on.`,
    ),
  };
};

const locationsOf = (file: OfficialFile, content: TaxContent): Location[] => {
  const locations: Location[] = [];
  let lines = 0;
  for (const line of linesOf(file)) {
    lines += 1;
    if (line.trim() === '') continue;
    const place = `${file.name}:${lines}`;
    if (line.length !== WIDTH) {
      throw new ContentRefusedError(place, `the line has ${line.length} characters instead of ${WIDTH}`);
    }
    locations.push({
      cells: locationCells(line, content),
      begin: compactDate(line.slice(BEGIN_AT, BEGIN_AT + 8), place),
      combined: line[OVERRIDE_AT] === 'Y' ? undefined : rateAt(line, HIGH_GENERAL_AT, place),
    });
  }
  return locations;
};

const newestBegin = (file: OfficialFile, locations: readonly Location[]): CalendarDate => {
  const newest = locations
    .map(({ begin }) => begin)
    .sort()
    .at(-1);
  if (newest === undefined) throw new ContentRefusedError(file.name, 'the file has no location');
  return calendarDate(newest);
};

const localRow = (
  file: OfficialFile,
  state: StateContent,
  { cells, begin, combined }: Location,
  stateRate: number,
  from: CalendarDate,
): TextRow => {
  const row = { ...cells, tax: 'general', from, to: '', seen: from };
  if (combined === undefined) {
    const place = { county: cells['counties'] ?? '', name: cells['places'] ?? '' };
    const known = knownRates(state, place, from).reduce((total, rates) => total + rates.rate, 0);
    const note = 'depends on the street address; the rate known before the file';
    return { ...row, rate: formatRate(rate(known)), source: 'il-file', confidence: 'secondary', note };
  }
  if (combined < stateRate || combined > RATE_MAX) {
    throw new ContentRefusedError(
      `${file.name}: ${cells['name']}`,
      'the rate is lower than the rate of the state, or past 15 percent',
    );
  }
  const note = `the whole local part, in force since ${begin}`;
  return { ...row, rate: formatRate(rate(combined - stateRate)), source: 'il-file', note };
};
