import { basename } from 'node:path';
import type { Profile } from '../profile.ts';
import { normalColumn } from './normal-column.ts';
import type { SurveyedFile } from './survey-file.ts';
import type { TableHead } from './table-heads.ts';
import type { TableRow } from './table-row.ts';

/** One row of a file taken for the header of one profile, and what speaks for and against it. */
export type Candidate = {
  readonly profile: Profile;
  readonly head: TableHead;
  readonly row: TableRow;
  /** How many of its columns the profile knows. */
  readonly known: number;
  readonly missing: readonly string[];
  /** Groups of which no column is there. */
  readonly missingAny: readonly (readonly string[])[];
  readonly forbidden: readonly string[];
  /** Whether delimiter, encoding, sheet and line are as the profile has them. */
  readonly hasForm: boolean;
  /** How many of name and preamble are as the profile has them. */
  readonly hints: number;
  /** From 0 to 1: how much of what it needs is there. */
  readonly nearness: number;
};

export const candidateOf = (
  profile: Profile,
  file: SurveyedFile,
  head: TableHead,
  row: TableRow,
): Candidate => {
  const { detect } = profile;
  const present = presentColumns(profile, row.cells);
  const isThere = (column: string): boolean => present.has(normalColumn(column));
  const missing = detect.required.filter((column) => !isThere(column));
  return {
    profile,
    head,
    row,
    known: [...knownColumns(profile)].filter((column) => present.has(column)).length,
    missing,
    missingAny: detect.any.filter((group) => !group.some(isThere)),
    forbidden: detect.forbidden.filter(isThere),
    hasForm: hasForm(profile, file, head, row),
    hints: hintsOf(profile, file, head, row),
    nearness: (detect.required.length - missing.length) / detect.required.length,
  };
};

export const fits = ({ missing, missingAny, forbidden, hasForm: isOfForm }: Candidate): boolean =>
  missing.length === 0 && missingAny.length === 0 && forbidden.length === 0 && isOfForm;

/** The better one first: it knows more of the columns, needs more of them, or is named as it should be. */
export const byFit = (left: Candidate, right: Candidate): number =>
  right.known - left.known ||
  right.profile.detect.required.length - left.profile.detect.required.length ||
  right.hints - left.hints;

/** The columns of a header as a profile calls them, in the form in which columns are compared. */
export const presentColumns = (profile: Profile, cells: readonly string[]): ReadonlySet<string> => {
  const aliases = new Map(
    Object.entries(profile.file.headerAliases).map(([spelling, column]) => [
      normalColumn(spelling),
      normalColumn(column),
    ]),
  );
  const columns = cells.map(normalColumn).map((column) => aliases.get(column) ?? column);
  return new Set(columns.filter((column) => column !== ''));
};

export const knownColumns = ({ columns, detect }: Profile): ReadonlySet<string> =>
  new Set([...columns, ...detect.required, ...detect.any.flat()].map(normalColumn));

const hasForm = ({ file: form }: Profile, file: SurveyedFile, head: TableHead, row: TableRow): boolean => {
  const allowed: readonly string[] | undefined = form.delimiters;
  const hasDelimiter = head.delimiter === undefined || (allowed?.includes(head.delimiter) ?? true);
  const hasEncoding = file.form.kind !== 'text' || (form.encodings?.includes(file.form.encoding) ?? true);
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
