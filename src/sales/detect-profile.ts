import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import { once, oncePer } from '../kernel/once.ts';
import { problemTexts, schemaProblems } from '../kernel/schema-problems.ts';
import { ExportError } from './file-source.ts';
import { type CompanionProfile, columnsOfProfile, Profile, type SalesProfile } from './profile.ts';
import { data } from './profiles.data.ts';
import { withCellDates } from './read-date.ts';
import type { SaleFinding } from './sale.ts';
import type { SurveyedFile } from './survey-file.ts';
import { HEAD_LINES_MAX, type TableHead, tableHeads } from './table-heads.ts';
import { calledColumns, normalColumn, remembered, type TableRow } from './table-row.ts';

/** A file whose profile is known, ready to be read. */
export type Detected = {
  readonly profile: Profile;
  /** The header cells, as in the file. */
  readonly header: readonly string[];
  readonly headerLine: number;
  readonly isWorkbook: boolean;
  /** Unusual points of the file's form, which do not prevent reading it. */
  readonly notices: readonly SaleFinding[];
  /** The non-blank rows below the header in batches. */
  readonly rows: () => AsyncIterable<readonly TableRow[]>;
  /** Why a row is not data, such as a footer; `undefined` for data. */
  readonly framingOf: (row: TableRow) => SaleFinding | undefined;
};

/** Cache of detections, since files are detected several times while they are read. */
const detections = oncePer((file: SurveyedFile) =>
  oncePer((profiles: readonly Profile[]) =>
    remembered(async (wanted) => detectAmong(file, await tableHeads(file), profiles, wanted)),
  ),
);

/**
 * Detect by its columns which profile a file follows, whatever the order of columns, the delimiter or the preamble. If
 * several fit, the one that knows more of the columns wins, or one of the user's own that extends it.
 *
 * @param wanted the profile named for the file, if any; it decides if several fit
 * @throws {ExportError} when the file is empty, no profile fits (the message names the nearest and the columns it
 * misses), or several fit equally well
 */
export const detectProfile = (
  file: SurveyedFile,
  profiles: readonly Profile[],
  wanted = '',
): Promise<Detected> => detections(file)(profiles)(wanted);

const detectAmong = (
  file: SurveyedFile,
  heads: readonly TableHead[],
  profiles: readonly Profile[],
  wanted: string,
): Detected => {
  if (heads.every(({ rows }) => rows.every(isNothing))) throw empty(file);
  const lookedFor = profiles.map(wantedBy);
  const candidates = heads.flatMap((head) => candidatesIn(head, lookedFor));
  const fitting = candidates.filter(fits).sort(byFit);
  const named = fitting.find(({ profile }) => profile.id === wanted);
  const best = bestOf(fitting);
  if (!best) throw unknownLayout(file.place, nearestOf(candidates, wanted));
  const chosen = named ?? best;
  const rival = fitting.find(
    (other) => byFit(other, chosen) === 0 && isRival(other, chosen) && !extendsThat(chosen, other),
  );
  if (rival && !named) throw ambiguous(file.place, chosen, rival);
  return detectedAs(file, chosen);
};

/** The best fit; a profile of the user's own stands before the shipped one that it extends. */
const bestOf = (fitting: readonly Candidate[]): Candidate | undefined => {
  const [first] = fitting;
  return first && (fitting.find((other) => extendsThat(other, first)) ?? first);
};

const extendsThat = (own: Candidate, other: Candidate): boolean => own.profile.extends === other.profile.id;

/** Whether a row has only delimiters and blanks, for any delimiter. */
const isNothing = ({ cells }: TableRow): boolean => cells.every((cell) => /^[\s,;|]*$/.test(cell));

const isRival = (other: Candidate, chosen: Candidate): boolean =>
  other.profile.id !== chosen.profile.id || other.head.sheet !== chosen.head.sheet;

const detectedAs = (file: SurveyedFile, { profile, head, row }: Candidate): Detected => ({
  profile: head.sheet === undefined ? profile : withCellDates(profile),
  header: row.cells,
  headerLine: row.line,
  isWorkbook: head.sheet !== undefined,
  notices: endNotices(file),
  rows: () => below(head, row),
  framingOf: framingOf(profile, row.cells),
});

async function* below(head: TableHead, header: TableRow): AsyncGenerator<readonly TableRow[]> {
  let isFirst = true;
  for await (const rows of head.from(header)) {
    yield isFirst && rows.length > 0 ? rows.slice(1) : rows;
    if (rows.length > 0) isFirst = false;
  }
}

const empty = (file: SurveyedFile): ExportError =>
  new ExportError(
    'E_EXPORT_EMPTY',
    file.place,
    'the file is empty',
    'Export it again; even a month without sales has a header.',
  );

const ambiguous = (place: string, one: Candidate, other: Candidate): ExportError => {
  const fits = [one, other].map(
    ({ profile, head }) => `${profile.id}${head.sheet === undefined ? '' : ` (sheet ${head.sheet})`}`,
  );
  return new ExportError(
    'E_EXPORT_AMBIGUOUS',
    place,
    `its columns fit both ${fits.join(' and ')}`,
    'Name the one that is meant as `profile` of the channel, or save the sheet that is meant in a file of its own.',
  );
};

const nearestOf = (candidates: readonly Candidate[], wanted: string): Candidate | undefined =>
  candidates
    .filter(({ profile, nearness }) =>
      wanted === '' ? isUsable(profile) && nearness >= NEAR_MIN : profile.id === wanted,
    )
    .sort((left, right) => right.nearness - left.nearness)[0];

/** Minimum nearness to suggest a profile; below it, the file merely shares some words with the export. */
const NEAR_MIN = 0.5;

/** Whether exports of a profile are read; those of others are rejected. */
export const isUsable = (profile: Profile): boolean => isSalesProfile(profile) || isCompanionProfile(profile);

const unknownLayout = (place: string, nearest: Candidate | undefined): ExportError => {
  const like =
    nearest && nearest.nearness > 0
      ? `; the nearest is ${nearest.profile.id} (${nearest.profile.title}), ${obstacleOf(nearest)}`
      : '';
  return new ExportError(
    'E_EXPORT_UNKNOWN',
    place,
    `its columns fit no known export${like}`,
    `Check that the right file is configured, and that it was exported with all columns; its header is looked for in the first ${HEAD_LINES_MAX} lines. \`tieout profile init\` drafts a profile for another export.`,
  );
};

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ');

/** What keeps a file from being that of a profile: columns that it lacks, or that such files never have. */
const obstacleOf = ({ missing, missingAny, forbidden }: Candidate): string => {
  const lacks = [...missing, ...missingAny.flat()];
  return lacks.length > 0 ? `which needs ${quoted(lacks)} as well` : `which never has ${quoted(forbidden)}`;
};

/**
 * Return a function that recognises rows around the data: footers, by the profile's patterns on their filled cells
 * (joined by commas), and repeated headers in concatenated files. Each row is judged on its own: a sorted file may have
 * its footer anywhere, and rows after it must not be lost.
 */
const framingOf = (
  profile: Profile,
  header: readonly string[],
): ((row: TableRow) => SaleFinding | undefined) => {
  const footers = profile.file.footer.map((pattern) => new RegExp(pattern, 'iu'));
  const columns = header.map(normalColumn);
  return ({ cells }) => {
    if (cells.length === columns.length && cells.every((cell, at) => normalColumn(cell) === columns[at]))
      return { code: 'repeated-header', message: 'the header stands here once more' };
    if (footers.length === 0) return undefined;
    const filled = cells
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '')
      .join(',');
    return footers.some((pattern) => pattern.test(filled))
      ? { code: 'footer', message: 'the line is a footer of the export, not a record' }
      : undefined;
  };
};

/** The notice that the last line of a file has no end. */
const endNotices = ({ form }: SurveyedFile): readonly SaleFinding[] => {
  if (form.kind === 'workbook' || form.endsWithLineEnd) return [];
  const message = 'its last line has no end; if the file was cut off, its last record is not whole';
  return [{ code: 'no-final-line-end', message }];
};

/** The columns of a profile, normalized for comparison. */
const wantedBy = (profile: Profile) => ({
  profile,
  aliases: new Map(
    Object.entries(profile.file.headerAliases).map(([spelling, column]) => [
      normalColumn(spelling),
      normalColumn(column),
    ]),
  ),
  required: profile.detect.required.map((column) => [normalColumn(column), column] as const),
  known: new Set(columnsOfProfile(profile).map(normalColumn)),
});

type Wanted = ReturnType<typeof wantedBy>;

/** One row of a file tried as the header of one profile, with the evidence for and against it. */
export type Candidate = ReturnType<typeof candidateOf>;

/** Try every row at the head of a file as the header of every profile. */
const candidatesIn = (head: TableHead, wanted: readonly Wanted[]): readonly Candidate[] =>
  head.rows.flatMap((row) => {
    const columns = columnsOf(row.cells);
    return wanted.map((one) => candidateOf(one, head, row, columns));
  });

const candidateOf = (wanted: Wanted, head: TableHead, row: TableRow, columns: ReadonlySet<string>) => {
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
    /** Groups without any column in the header. */
    missingAny: isNear ? profile.detect.any.filter((group) => !group.some(isThere)) : [],
    forbidden: isNear ? profile.detect.forbidden.filter(isThere) : [],
    /** Number of known columns; 0 if a required column is missing. */
    known: isNear ? [...present].filter((column) => wanted.known.has(column)).length : 0,
    /** The share of required columns that the header has, from 0 to 1. */
    nearness: (required.length - missing.length) / required.length,
  };
};

const fits = ({ missing, missingAny, forbidden }: Candidate): boolean =>
  missing.length === 0 && missingAny.length === 0 && forbidden.length === 0;

/** Sort order, best fit first: more known columns, then more required columns. */
const byFit = (left: Candidate, right: Candidate): number =>
  right.known - left.known || right.profile.detect.required.length - left.profile.detect.required.length;

/** The normalized column names in a header, numbered where they are repeated. */
const columnsOf = (header: readonly string[]): ReadonlySet<string> =>
  new Set(
    calledColumns(header)
      .map(normalColumn)
      .filter((column) => column !== ''),
  );

/** The columns under the profile's own names, with its aliases applied. */
const presentColumns = ({ aliases }: Wanted, columns: ReadonlySet<string>): ReadonlySet<string> =>
  aliases.size === 0 ? columns : new Set([...columns].map((column) => aliases.get(column) ?? column));

/** The profiles that a file may follow, and the id of the one named for it. */
export type KnownProfiles = {
  readonly profiles: readonly Profile[];
  readonly wanted: string | undefined;
};

/**
 * Load the shipped profiles and the named one, given by its id or as the user's own YAML file. That file may extend a
 * shipped profile (`extends: square.items`), and replaces it unless it has an id of its own.
 *
 * @throws {TieoutError} E_PROFILE_UNKNOWN or E_PROFILE_INVALID
 */
export const knownProfiles = (
  named: string | undefined,
  resolvePath: (path: string) => string,
): KnownProfiles => {
  const shipped = shippedProfiles();
  if (named === undefined) return { profiles: shipped, wanted: undefined };
  if (isOwnFile(named)) {
    const own = ownProfile(resolvePath(named), shipped);
    return { profiles: [...shipped.filter(({ id }) => id !== own.id), own], wanted: own.id };
  }
  if (shipped.some(({ id }) => id === named)) return { profiles: shipped, wanted: named };
  throw profileError(
    'E_PROFILE_UNKNOWN',
    `there is no profile "${named}"`,
    'Name one that `tieout profile list` shows, or a YAML file of your own, as `profile` of the channel or with --profile.',
  );
};

/** Returns the name of a profile, absolute if it is the user's own file. */
export const profilePlace = (
  named: string | undefined,
  resolvePath: (path: string) => string,
): string | undefined => (named !== undefined && isOwnFile(named) ? resolvePath(named) : named);

const isOwnFile = (named: string): boolean => /\.(ya?ml|json)$/i.test(named);

const ownProfile = (path: string, shipped: readonly Profile[]): Profile => {
  const given = mappingIn(path);
  const { extends: base } = given;
  const origin = shipped.find(({ id }) => id === base);
  if (base !== undefined && !origin)
    throw profileError(
      'E_PROFILE_UNKNOWN',
      `${path}: it extends "${String(base)}", which does not exist`,
      NEXT_STEP,
    );
  const data = origin ? extended(origin, given) : given;
  const result = Profile.safeParse(data);
  if (result.success) return result.data;
  const problems = schemaProblems(Profile, result.error.issues);
  throw profileError('E_PROFILE_INVALID', `${path}: ${problemTexts(problems).join('; ')}`, NEXT_STEP);
};

const NEXT_STEP =
  'Correct it there; docs/source-profile-keys.md explains every key, and `tieout profile init` drafts a whole profile.';

/** The keys and values of a file, as YAML has them. */
const mappingIn = (path: string): Readonly<Record<string, unknown>> => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const nextStep = 'Name a file that is there and that this user may read.';
    throw profileError('E_PROFILE_UNKNOWN', `${path}: the profile cannot be read (${code})`, nextStep);
  }
  const document = parseDocument(text, { logLevel: 'error' });
  const [syntax] = document.errors;
  const value: unknown = syntax ? undefined : document.toJS();
  if (isMapping(value)) return value;
  const rule = syntax?.message.split('\n')[0] ?? 'it is not a list of keys and values';
  throw profileError('E_PROFILE_INVALID', `${path}: ${rule}`, NEXT_STEP);
};

/**
 * Return a profile as one that extends another. The columns of that one stay known, since what it says of them still
 * holds where the profile states other columns.
 */
const extended = (origin: Profile, own: Readonly<Record<string, unknown>>): unknown => {
  const { columns = [] } = own;
  return merged(origin, {
    proof: undefined,
    ...own,
    ...(Array.isArray(columns) && { columns: [...origin.columns, ...columns] }),
  });
};

/** Merge a profile into the one it extends. Its own keys take precedence; lists are replaced, not extended. */
const merged = (base: unknown, own: unknown): unknown => {
  if (!isMapping(base) || !isMapping(own)) return own;
  const keys = new Set([...Object.keys(base), ...Object.keys(own)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, Object.hasOwn(own, key) ? merged(base[key], own[key]) : base[key]]),
  );
};

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const profileError = (
  code: Extract<ErrorCode, `E_PROFILE_${string}`>,
  message: string,
  nextStep: string,
): TieoutError => new TieoutError({ code, message, nextStep });

/** Return the profiles that come with Tieout, in file-name order, reading them only once. */
export const shippedProfiles = once(data);

export const isSalesProfile = (profile: Profile): profile is SalesProfile => profile.capability === 'sales';

export const isCompanionProfile = (profile: Profile): profile is CompanionProfile =>
  profile.capability === 'refund-dates';

/**
 * Whether companion files are those of a profile, or of the one that it extends; `undefined` if they may be of any.
 */
export const companionsName = (
  { companionOf }: CompanionProfile,
  { id, extends: base }: Pick<Profile, 'id' | 'extends'>,
): boolean | undefined => companionOf?.some((one) => one === id || one === base);
