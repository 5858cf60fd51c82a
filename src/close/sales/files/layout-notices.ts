import type { Profile } from '../profile.ts';
import type { Remark } from '../sale.ts';
import { columnsOf, presentColumns, wantedBy } from './candidate.ts';
import { normalColumn } from './normal-column.ts';
import { isRejectColumn, rejectPlaces } from './reject-columns.ts';
import { ENCODING_NAMES, type SurveyedFile } from './survey-file.ts';
import type { TableHead } from './table-heads.ts';

/** What a person should know about the form of a file that can be read: nothing for a usual one. */
export const layoutNotices = (
  file: SurveyedFile,
  profile: Profile,
  head: TableHead,
  header: readonly string[],
): readonly Remark[] => {
  const notices: Remark[] = [];
  if (file.form.kind === 'workbook')
    notices.push({ code: 'sheet', message: `read from the sheet ${head.sheet}` });
  else {
    const { encoding, endsWithLineEnd } = file.form;
    if (encoding !== 'utf-8')
      notices.push({ code: 'encoding', message: `read as ${ENCODING_NAMES[encoding]} text` });
    if (head.delimiter !== ',')
      notices.push({
        code: 'delimiter',
        message: `its cells are divided by ${JSON.stringify(head.delimiter)}`,
      });
    if (!endsWithLineEnd) {
      const message = 'its last line has no end; if the file was cut off, its last record is not whole';
      notices.push({ code: 'no-final-line-end', message });
    }
  }
  if (rejectPlaces(header)) {
    const message = 'rows that were rejected and repaired; the columns in front say where they stood';
    notices.push({ code: 'repaired-rows', message });
  }
  const change = layoutChange(profile, header);
  return change === undefined ? notices : [...notices, { code: 'layout-changed', message: change }];
};

/** Columns named in a notice; the rest is counted. */
const NAMED_MAX = 8;

const layoutChange = (profile: Profile, header: readonly string[]): string | undefined => {
  if (profile.columns.length === 0) return undefined;
  const wanted = wantedBy(profile);
  const isReject = rejectPlaces(header) ? isRejectColumn : () => false;
  const present = presentColumns(wanted, columnsOf(header));
  const added = header.filter((cell) => {
    const column = normalColumn(cell);
    return column !== '' && !isReject(cell) && !wanted.known.has(column) && !wanted.aliases.has(column);
  });
  const gone = profile.columns.filter((column) => !present.has(normalColumn(column)));
  if (added.length === 0 && gone.length === 0) return undefined;
  return `the layout has changed: ${[...listed('+', added), ...listed('−', gone)].join(', ')}`;
};

const listed = (sign: string, columns: readonly string[]): readonly string[] => {
  const named = columns.slice(0, NAMED_MAX).map((column) => `${sign}${column.trim()}`);
  const more = columns.length - named.length;
  return more > 0 ? [...named, `${sign}${more} more`] : named;
};
