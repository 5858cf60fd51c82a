import { ExportError } from './export-error.ts';
import type { Profile } from './profile.ts';
import { readTable } from './read-table.ts';

/** Lines among which the header is looked for; preambles are shorter. */
const HEADER_SEARCH_ROWS = 30;

export type Detected<Kind extends Profile = Profile> = {
  readonly profile: Kind;
  /** The header cells, as they stand in the file. */
  readonly header: readonly string[];
  readonly headerLine: number;
};

/** How header cells are compared: trimmed, composed, blanks folded, in any case. */
export const normalColumn = (cell: string): string =>
  cell
    .replace(/^\uFEFF/, '')
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();

/**
 * Find out by its columns which of the profiles a file follows.
 *
 * @throws {ExportError} when the file is empty, when no profile fits (the nearest one is named with what it misses)
 * or when several fit equally well
 */
export const detectProfile = async (
  path: string,
  name: string,
  profiles: readonly Profile[],
): Promise<Detected> => {
  let rows = 0;
  let nearest: Candidate | undefined;
  for await (const row of readTable(path, name)) {
    rows += 1;
    const candidates = profiles.map((profile) => candidateOf(profile, row.cells));
    const fitting = candidates.filter(
      ({ missing, forbidden }) => missing.length === 0 && forbidden.length === 0,
    );
    const [best, second] = fitting.sort((left, right) => right.known - left.known);
    if (best && second?.known === best.known) throw ambiguous(name, best.profile, second.profile);
    if (best) return { profile: best.profile, header: row.cells, headerLine: row.line };
    nearest = [nearest, ...candidates].filter((candidate) => candidate !== undefined).sort(byNearness)[0];
    if (rows === HEADER_SEARCH_ROWS) break;
  }
  if (rows === 0) {
    throw new ExportError(
      'E_EXPORT_EMPTY',
      name,
      'the file is empty',
      'Export it again; even a month without sales has a header.',
    );
  }
  throw unknownLayout(name, nearest);
};

type Candidate = {
  readonly profile: Profile;
  readonly known: number;
  readonly missing: readonly string[];
  readonly forbidden: readonly string[];
};

const candidateOf = (profile: Profile, cells: readonly string[]): Candidate => {
  const present = new Set(cells.map(normalColumn));
  const missing = profile.detect.required.filter((column) => !present.has(normalColumn(column)));
  const forbidden = profile.detect.forbidden.filter((column) => present.has(normalColumn(column)));
  return { profile, known: profile.detect.required.length - missing.length, missing, forbidden };
};

const byNearness = (left: Candidate, right: Candidate): number =>
  right.known / right.profile.detect.required.length - left.known / left.profile.detect.required.length;

const ambiguous = (name: string, one: Profile, other: Profile): ExportError =>
  new ExportError(
    'E_EXPORT_AMBIGUOUS',
    name,
    `the columns fit both ${one.id} and ${other.id}`,
    'Name the one that is meant as `profile` of the channel.',
  );

const unknownLayout = (name: string, nearest: Candidate | undefined): ExportError => {
  const advice = 'Check that the right file is configured, and that it was exported with all columns.';
  if (!nearest || nearest.known === 0) {
    return new ExportError('E_EXPORT_UNKNOWN', name, 'its columns fit no known export', advice);
  }
  const reason =
    nearest.missing.length > 0
      ? `which needs ${nearest.missing.map((column) => `"${column}"`).join(', ')} as well`
      : `which never has ${nearest.forbidden.map((column) => `"${column}"`).join(', ')}`;
  return new ExportError(
    'E_EXPORT_UNKNOWN',
    name,
    `its columns fit no known export; the nearest is ${nearest.profile.id} (${nearest.profile.title}), ${reason}`,
    advice,
  );
};
