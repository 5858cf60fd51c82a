import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import { problemTexts, schemaProblems } from '../kernel/schema-problems.ts';
import { type CompanionProfile, Profile, type SalesProfile } from './profile.ts';
import { data } from './profiles.data.ts';

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
export const shippedProfiles = (): readonly Profile[] => {
  profiles ??= data();
  return profiles;
};

let profiles: readonly Profile[] | undefined;

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
