import { ContentRefusedError } from '../content-error.ts';
import { streetKey } from '../street-name.ts';
import type { TaxContent } from '../tax-content.ts';
import { compactDate, compactEnd } from './import-dates.ts';
import { linesOf, type OfficialFile } from './official-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { parseSstName } from './sst-name.ts';
import type { TextRow } from './table-rows.ts';

/** Fields of a line; some files have one comma too many. */
const FIELDS = 89;
/** Fields before the groups of district source, code and type. */
const FIELDS_BEFORE_DISTRICTS = 29;
/** In some states groups of this type are aliases of the state, not taxes. */
const ALIAS_TYPE = '45';

/** Read a boundary file of the Streamlined Sales Tax members: which jurisdictions hold at which addresses. */
export const parseSstBoundary = (file: OfficialFile, content: TaxContent): ParsedFile => {
  const name = parseSstName(file.name);
  const rows: TextRow[] = [];
  let fips = '';
  let lines = 0;
  for (const line of linesOf(file)) {
    lines += 1;
    if (line.trim() === '') continue;
    const place = `${file.name}:${lines}`;
    const fields = line.split(',').map((field) => field.trim());
    if (fields.length !== FIELDS && fields.length !== FIELDS + 1) {
      throw new ContentRefusedError(place, `the line has ${fields.length} fields instead of ${FIELDS}`);
    }
    fips ||= fields[22] ?? '';
    rows.push(boundaryRow(fields, place));
  }
  const state = [...content.stateFips].find(([, code]) => code === fips)?.[0];
  if (state === undefined) throw new ContentRefusedError(file.name, `${fips} is the code of no state`);
  if (name && name.state !== state) {
    throw new ContentRefusedError(
      file.name,
      `the file is named for ${name.state}, its lines are of ${state}`,
    );
  }
  return {
    kind: 'sst-boundary',
    state,
    period: name?.period,
    rows: rows.length,
    stateRates: [],
    localRates: [],
    boundaries: rows,
    replacesFrom: () => undefined,
    warnings: [],
  };
};

const boundaryRow = (fields: readonly string[], place: string): TextRow => {
  const at = (index: number): string => fields[index] ?? '';
  const type = at(0).toUpperCase();
  const common = {
    type,
    from: compactDate(at(1), place),
    to: compactEnd(at(2), place),
    county: at(24),
    place: at(25),
    specials: districtsOf(fields),
  };
  switch (type) {
    case 'A':
      return {
        ...common,
        zip_low: zipOf(at(15), place),
        zip_high: zipOf(at(15), place),
        plus4_low: at(16).padStart(at(16) === '' ? 0 : 4, '0'),
        plus4_high: at(16).padStart(at(16) === '' ? 0 : 4, '0'),
        street: streetKey([at(6), at(7), at(8), at(9)].join(' ')),
        number_low: at(3),
        number_high: at(4),
        parity: at(5).toUpperCase(),
      };
    case '4':
      return {
        ...common,
        zip_low: zipOf(at(17), place),
        zip_high: zipOf(at(19), place),
        plus4_low: at(18).padStart(4, '0'),
        plus4_high: at(20).padStart(4, '0'),
      };
    case 'Z':
      return { ...common, zip_low: zipOf(at(17), place), zip_high: zipOf(at(19) || at(17), place) };
    default:
      throw new ContentRefusedError(place, `${at(0) || 'an empty cell'} is not a type of boundary record`);
  }
};

const zipOf = (text: string, place: string): string => {
  if (/^\d{3,5}$/.test(text)) return text.padStart(5, '0');
  throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a ZIP`);
};

/** Codes of the districts, from the groups of source, code and type at the end of a line. */
const districtsOf = (fields: readonly string[]): string => {
  const codes: string[] = [];
  for (let index = FIELDS_BEFORE_DISTRICTS; index + 1 < FIELDS; index += 3) {
    const [code = '', type = ''] = [fields[index + 1], fields[index + 2]];
    if (code !== '' && type !== ALIAS_TYPE) codes.push(code);
  }
  return codes.join(' ');
};
