import type { Profile } from './profile.ts';
import type { TableHead } from './table-heads.ts';
import { calledColumns, normalColumn, type TableRow } from './table-row.ts';

/** One row of a file tried as the header of one profile, with the evidence for and against it. */
export type Candidate = {
  readonly profile: Profile;
  readonly head: TableHead;
  readonly row: TableRow;
  readonly missing: readonly string[];
  /** Groups without any column in the header. */
  readonly missingAny: readonly (readonly string[])[];
  readonly forbidden: readonly string[];
  /** Number of known columns; 0 if a required column is missing. */
  readonly known: number;
  /** Whether the lines before the header speak for the profile. */
  readonly isAnnounced: boolean;
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
export const candidatesIn = (head: TableHead, wanted: readonly Wanted[]): readonly Candidate[] =>
  head.rows.flatMap((row) => {
    const columns = columnsOf(row.cells);
    return wanted.map((one) => candidateOf(one, head, row, columns));
  });

const candidateOf = (
  wanted: Wanted,
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
    known: isNear ? [...present].filter((column) => wanted.known.has(column)).length : 0,
    isAnnounced: isNear && isAnnounced(profile, head, row),
    nearness: (required.length - missing.length) / required.length,
  };
};

export const fits = ({ missing, missingAny, forbidden }: Candidate): boolean =>
  missing.length === 0 && missingAny.length === 0 && forbidden.length === 0;

/** Sort order, best fit first: more known columns, then more required columns, then what announces it. */
export const byFit = (left: Candidate, right: Candidate): number =>
  right.known - left.known ||
  right.profile.detect.required.length - left.profile.detect.required.length ||
  Number(right.isAnnounced) - Number(left.isAnnounced);

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

/** Whether the lines before the header speak for a profile. */
const isAnnounced = ({ detect: { preamble } }: Profile, head: TableHead, row: TableRow): boolean =>
  preamble !== undefined &&
  new RegExp(preamble, 'iu').test(
    head.rows
      .filter(({ line }) => line < row.line)
      .map(({ cells }) => cells.join(' '))
      .join('\n'),
  );
