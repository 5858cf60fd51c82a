import { formatRate, rate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import type { TaxContent } from '../tax-content.ts';
import { ILLINOIS, locationCells, rateAt } from './illinois-line.ts';
import { compactDate } from './import-dates.ts';
import { linesOf, type OfficialFile } from './official-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { TextRow } from './table-rows.ts';

const WIDTH = 106;
const BEGIN_AT = 60;
const HIGH_AT = 68;
const FLAG_AT = 78;

/** Whether a first line has the layout of the grocery file of Illinois. */
export const isIllinoisGrocery = (line: string): boolean =>
  line.length === WIDTH && /^\d{10}/.test(line) && /^\d{18}[YN ]/.test(line.slice(BEGIN_AT));

/** Read the local grocery rates of Illinois: which places tax food, and from when. A zero is a known zero. */
export const parseIllinoisGrocery = (file: OfficialFile, content: TaxContent): ParsedFile => {
  const localRates: TextRow[] = [];
  let lines = 0;
  for (const line of linesOf(file)) {
    lines += 1;
    if (line.trim() === '') continue;
    const place = `${file.name}:${lines}`;
    if (line.length !== WIDTH || !/[YN ]/.test(line[FLAG_AT] ?? '')) {
      throw new ContentRefusedError(place, `the line has ${line.length} characters instead of ${WIDTH}`);
    }
    const from = compactDate(line.slice(BEGIN_AT, BEGIN_AT + 8), place);
    localRates.push({
      ...locationCells(line, content),
      tax: 'food',
      rate: formatRate(rate(rateAt(line, HIGH_AT, place))),
      from,
      to: '',
      source: 'il-grocery-file',
      seen: from,
    });
  }
  return {
    kind: 'illinois-grocery',
    state: ILLINOIS,
    period: undefined,
    rows: localRates.length,
    stateRates: [],
    localRates,
    replacesFrom: (row) => (row['state'] === ILLINOIS && row['tax'] === 'food' ? '' : undefined),
    warnings: [],
  };
};
