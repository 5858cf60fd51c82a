import { basename } from 'node:path';
import type { Profile } from '../profile.ts';
import { calledColumns, normalColumn } from './normal-column.ts';
import { rejectPlaces } from './reject-columns.ts';
import type { SurveyedFile } from './survey-file.ts';
import type { TableHead } from './table-heads.ts';
import type { TableRow } from './table-row.ts';

/** One row of a file tried as the header of one profile, with the evidence for and against it. */
export type Candidate = {
  readonly profile: Profile;
  readonly head: TableHead;
  readonly row: TableRow;
  readonly missing: readonly string[];
  /** Groups without any column in the header. */
  readonly missingAny: readonly (readonly string[])[];
  readonly forbidden: readonly string[];
  /** Whether delimiter, encoding, sheet and header line match the profile. */
  readonly hasForm: boolean;
  /** Number of known columns, and of matching name and preamble patterns; 0 if a required column is missing. */
  readonly known: number;
  readonly hints: number;
  /** The share of required columns that the header has, from 0 to 1. */
  readonly nearness: number;
};

/** The columns of a profile, normalized for comparison. */
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

/** Try every row at the head of a file as the header of every profile. */
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

/** Sort order, best fit first: more known columns, then more required columns, then more hints. */
export const byFit = (left: Candidate, right: Candidate): number =>
  right.known - left.known ||
  right.profile.detect.required.length - left.profile.detect.required.length ||
  right.hints - left.hints;

/** The normalized column names in a header, numbered where they are repeated. */
export const columnsOf = (header: readonly string[]): ReadonlySet<string> =>
  new Set(
    calledColumns(header)
      .map(normalColumn)
      .filter((column) => column !== ''),
  );

/** The columns under the profile's own names, with its aliases applied. */
export const presentColumns = ({ aliases }: Wanted, columns: ReadonlySet<string>): ReadonlySet<string> =>
  aliases.size === 0 ? columns : new Set([...columns].map((column) => aliases.get(column) ?? column));

/**
 * Whether a column, by the name that profiles call it, is among the known ones of a profile, a further one of such a
 * name, or numbered as one of them is.
 */
export const knownColumn = ({ known, aliases }: Wanted): ((column: string) => boolean) => {
  const names = new Set([...known, ...aliases.keys()].map(unnumbered));
  return (column) => {
    const name = normalColumn(column);
    return names.has(unnumbered(name)) || names.has(unnumbered(name.replace(/ \(\d+\)$/, '')));
  };
};

const unnumbered = (column: string): string => column.replace(/\d+/g, '#');

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
