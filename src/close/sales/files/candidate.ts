import { basename } from 'node:path';
import type { Profile } from '../profile.ts';
import { normalColumn } from './normal-column.ts';
import { rejectPlaces } from './reject-columns.ts';
import type { SurveyedFile } from './survey-file.ts';
import type { TableHead } from './table-heads.ts';
import type { TableRow } from './table-row.ts';

/** One row of a file taken for the header of one profile, and what speaks for and against it. */
export type Candidate = {
  readonly profile: Profile;
  readonly head: TableHead;
  readonly row: TableRow;
  readonly missing: readonly string[];
  /** Groups of which no column is there. */
  readonly missingAny: readonly (readonly string[])[];
  readonly forbidden: readonly string[];
  /** Whether delimiter, encoding, sheet and line are as the profile has them. */
  readonly hasForm: boolean;
  /** Columns that the profile knows, and what of name and preamble is as it has them; 0 when it does not fit. */
  readonly known: number;
  readonly hints: number;
  /** From 0 to 1: how much of what it needs is there. */
  readonly nearness: number;
};

/** What a profile looks for, in the form in which columns are compared. */
export type Wanted = {
  readonly profile: Profile;
  readonly aliases: ReadonlyMap<string, string>;
  readonly required: readonly (readonly [normal: string, column: string])[];
  readonly known: ReadonlySet<string>;
};

export const wantedBy = (profile: Profile): Wanted => ({
  profile,
  aliases: new Map(
    Object.entries(profile.file.headerAliases).map(([spelling, column]) => [
      normalColumn(spelling),
      normalColumn(column),
    ]),
  ),
  required: profile.detect.required.map((column) => [normalColumn(column), column]),
  known: new Set(
    [
      ...profile.columns,
      ...profile.optionalColumns,
      ...profile.detect.required,
      ...profile.detect.any.flat(),
    ].map(normalColumn),
  ),
});

/** Every row of the head of a file taken for the header of every profile. */
export const candidatesIn = (
  file: SurveyedFile,
  head: TableHead,
  wanted: readonly Wanted[],
): readonly Candidate[] =>
  head.rows.flatMap((row) => {
    const columns = columnsOf(row.cells);
    return wanted.map((one) => candidateOf(one, file, head, row, columns));
  });

const candidateOf = (
  wanted: Wanted,
  file: SurveyedFile,
  head: TableHead,
  row: TableRow,
  columns: ReadonlySet<string>,
): Candidate => {
  const { profile, required } = wanted;
  const present = presentColumns(wanted, columns);
  const isThere = (column: string): boolean => present.has(normalColumn(column));
  const missing = required.filter(([normal]) => !present.has(normal)).map(([, column]) => column);
  const isNear = missing.length === 0;
  return {
    profile,
    head,
    row,
    missing,
    missingAny: isNear ? profile.detect.any.filter((group) => !group.some(isThere)) : [],
    forbidden: isNear ? profile.detect.forbidden.filter(isThere) : [],
    hasForm: isNear && hasForm(profile, file, head, row),
    known: isNear ? [...present].filter((column) => wanted.known.has(column)).length : 0,
    hints: isNear ? hintsOf(profile, file, head, row) : 0,
    nearness: (required.length - missing.length) / required.length,
  };
};

export const fits = ({ missing, missingAny, forbidden, hasForm: isOfForm }: Candidate): boolean =>
  missing.length === 0 && missingAny.length === 0 && forbidden.length === 0 && isOfForm;

/** The better one first: it knows more of the columns, needs more of them, or is named as it should be. */
export const byFit = (left: Candidate, right: Candidate): number =>
  right.known - left.known ||
  right.profile.detect.required.length - left.profile.detect.required.length ||
  right.hints - left.hints;

/** The columns that a header names. */
export const columnsOf = (header: readonly string[]): ReadonlySet<string> =>
  new Set(header.map(normalColumn).filter((column) => column !== ''));

/** The same as a profile calls them. */
export const presentColumns = ({ aliases }: Wanted, columns: ReadonlySet<string>): ReadonlySet<string> =>
  aliases.size === 0 ? columns : new Set([...columns].map((column) => aliases.get(column) ?? column));

const hasForm = ({ file: form }: Profile, file: SurveyedFile, head: TableHead, row: TableRow): boolean => {
  const allowed: readonly string[] | undefined = rejectPlaces(row.cells) ? undefined : form.delimiters;
  const hasDelimiter = head.delimiter === undefined || (allowed?.includes(head.delimiter) ?? true);
  const hasEncoding =
    file.form.kind !== 'text' ||
    rejectPlaces(row.cells) !== undefined ||
    (form.encodings?.includes(file.form.encoding) ?? true);
  const hasSheet = head.sheet === undefined || form.sheet === undefined || form.sheet === head.sheet;
  return hasDelimiter && hasEncoding && hasSheet && row.line <= form.headerSearchLines;
};

const hintsOf = ({ detect }: Profile, file: SurveyedFile, head: TableHead, row: TableRow): number => {
  const preamble = head.rows
    .filter(({ line }) => line < row.line)
    .map(({ cells }) => cells.join(' '))
    .join('\n');
  const speaks = (pattern: string | undefined, text: string): boolean =>
    pattern !== undefined && new RegExp(pattern, 'iu').test(text);
  return Number(speaks(detect.filename, basename(file.name))) + Number(speaks(detect.preamble, preamble));
};
