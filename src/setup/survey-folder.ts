import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerReader } from '../close/certificates/read-register.ts';
import { type Detected, detectProfile } from '../close/sales/detect-profile.ts';
import { saleNumbersIn } from '../close/sales/draft/sale-numbers-in.ts';
import { expandFiles } from '../close/sales/files/expand-files.ts';
import { isHidden } from '../close/sales/files/hidden-files.ts';
import type { FileSource } from '../close/sales/files/open-bytes.ts';
import { type SurveyedFile, surveyFile } from '../close/sales/files/survey-file.ts';
import { isForeignSpreadsheet, namedAs } from '../close/sales/files/table-names.ts';
import { knownProfiles } from '../close/sales/load-profiles.ts';
import type { Profile } from '../close/sales/profile.ts';
import { compareText } from '../kernel/compare-text.ts';
import { TieoutError } from '../kernel/errors.ts';

/** A file in the folder whose columns match a profile. */
export type RecognisedFile = {
  readonly entry: string;
  readonly file: SurveyedFile;
  readonly found: Detected;
};

/** A file that no configuration can use: not a table, not described by any profile, unreadable, or a wrong profile. */
export type StrangeFile = {
  readonly entry: string;
  readonly said: string;
  readonly what: 'no-table' | 'unknown' | 'unreadable' | 'other-spreadsheet' | 'wrong-profile';
};

/** A profile file of the user's own in the folder. */
export type OwnProfile = { readonly entry: string; readonly id: string };

/** The contents of a folder; files are identified by their names in it. */
export type FolderSurvey = {
  readonly recognised: readonly RecognisedFile[];
  readonly certificates: readonly string[];
  readonly ownProfiles: readonly OwnProfile[];
  readonly strange: readonly StrangeFile[];
  /** Subfolders, which are not searched. */
  readonly folders: readonly string[];
};

const PROFILE_FILE = /\.(ya?ml|json)$/i;
/** Keys by which a profile is told from a configuration, and from other data: two of them, as many files have one. */
const PROFILE_KEYS = /(?:^|[{,])\s*["']?(schema|extends|capability)["']?\s*:/gm;
/** The id of a profile as the value of `extends`: other data extends files, presets and packages. */
const PROFILE_BASE =
  /(?:^|[{,])\s*["']?extends["']?\s*:\s*["']?[a-z0-9-]+(?:\.[a-z0-9-]+)+["']?\s*(?:[,}#]|$)/m;

/** Whether a text that is not a valid profile is meant as one. */
const isMeantAsProfile = (text: string): boolean => {
  const keys = new Set([...text.matchAll(PROFILE_KEYS)].map(([, key]) => key));
  return keys.size > 1 || keys.has('capability') || PROFILE_BASE.test(text);
};

/**
 * Identify each file in a folder. An unusable file does not stop the others from being recognised.
 *
 * @param looking is called with the name of each file before it is read
 */
export const surveyFolder = async (
  folder: string,
  looking: (name: string) => void,
): Promise<FolderSurvey> => {
  const inside = await readdir(folder, { withFileTypes: true });
  const visible = inside.filter(({ name }) => !isHidden(name));
  const names = visible.filter((one) => !one.isDirectory()).map(({ name }) => name);
  const read = await Promise.all(
    names.filter((name) => PROFILE_FILE.test(name)).map((name) => profileIn(folder, name)),
  );
  const own = read.filter((one) => one !== undefined && 'profile' in one);
  const known = [
    ...new Map(
      [...knownProfiles(undefined, String).profiles, ...own.map(({ profile }) => profile)].map((profile) => [
        profile.id,
        profile,
      ]),
    ).values(),
  ];
  const survey = {
    recognised: [] as RecognisedFile[],
    certificates: [] as string[],
    strange: read.filter((one) => one !== undefined && 'said' in one),
  };
  for (const entry of names.sort(compareText)) {
    if (read.some((one) => one?.entry === entry)) continue;
    looking(entry);
    if (namedAs(entry) === 'no-table') {
      survey.strange.push(noTable(entry));
      continue;
    }
    if (isForeignSpreadsheet(entry)) {
      const said = 'a spreadsheet of a kind that is not read';
      survey.strange.push({ entry, said, what: 'other-spreadsheet' });
      continue;
    }
    for (const source of await sourcesOf(folder, entry, survey.strange))
      await recognise(source, entry, known, survey);
  }
  return {
    ...survey,
    ownProfiles: own.map(({ entry, profile: { id } }) => ({ entry, id })),
    folders: visible
      .filter((one) => one.isDirectory())
      .map(({ name }) => name)
      .sort(compareText),
  };
};

type Survey = { recognised: RecognisedFile[]; certificates: string[]; strange: StrangeFile[] };

/**
 * Read a file as a profile. One that has keys of a profile and is wrong is reported; a configuration has the same ending
 * and is left to the tables.
 */
const profileIn = async (
  folder: string,
  entry: string,
): Promise<{ readonly entry: string; readonly profile: Profile } | StrangeFile | undefined> => {
  try {
    const { profiles, wanted } = knownProfiles(entry, (name) => join(folder, name));
    const profile = profiles.find(({ id }) => id === wanted);
    return profile && { entry, profile };
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery === 'defect') throw error;
    const text = await readFile(join(folder, entry), 'utf8').catch(() => '');
    return isMeantAsProfile(text) ? { entry, said: saidOf(error), what: 'wrong-profile' } : undefined;
  }
};

const sourcesOf = async (
  folder: string,
  entry: string,
  strange: StrangeFile[],
): Promise<readonly FileSource[]> =>
  orStrange(entry, strange, () => expandFiles([entry], (name) => join(folder, name)), []);

const recognise = async (
  source: FileSource,
  entry: string,
  profiles: readonly Profile[],
  survey: Survey,
): Promise<void> => {
  const file = await orStrange(entry, survey.strange, () => surveyFile(source), undefined);
  if (!file) return;
  try {
    survey.recognised.push({ entry, file, found: await detectProfile(file, profiles) });
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery === 'defect') throw error;
    if (await isRegister(file)) survey.certificates.push(entry);
    else survey.strange.push(await strangeFile(source, entry, error));
  }
};

const noTable = (entry: string): StrangeFile => ({ entry, said: 'not a table of sales', what: 'no-table' });

/** Unrecognised files whose names do not call them tables are probably notes, unless they hold sales. */
const strangeFile = async (source: FileSource, entry: string, error: TieoutError): Promise<StrangeFile> => {
  if (namedAs(entry) === 'other' && (await saleNumbersIn(source)).length === 0) return noTable(entry);
  return { entry, said: saidOf(error), what: error.code === 'E_EXPORT_UNKNOWN' ? 'unknown' : 'unreadable' };
};

const isRegister = async (file: SurveyedFile): Promise<boolean> => {
  try {
    await registerReader()(file);
    return true;
  } catch (error) {
    if (error instanceof TieoutError && error.recovery !== 'defect') return false;
    throw error;
  }
};

/** Do some work with a file; where that fails, the file is reported, unless its name does not call it a table. */
const orStrange = async <Value>(
  entry: string,
  strange: StrangeFile[],
  work: () => Promise<Value>,
  otherwise: Value,
): Promise<Value> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery === 'defect') throw error;
    strange.push(
      namedAs(entry) === 'other' ? noTable(entry) : { entry, said: saidOf(error), what: 'unreadable' },
    );
    return otherwise;
  }
};

/** The message and code of an error about a file, without the file's path. */
export const saidOf = ({ code, message }: TieoutError): string =>
  `${message.replace(/^(?:.*?[\\/][^:\\/]+|[^:\\/]+\.\w+): /, '').replace(/\.$/, '')} (${code})`;
