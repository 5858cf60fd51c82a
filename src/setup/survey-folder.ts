import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerReader } from '../close/certificates/read-register.ts';
import { type Detected, detectProfile } from '../close/sales/detect-profile.ts';
import { type FileSource, isForeignSpreadsheet, isHidden, namedAs } from '../close/sales/file-source.ts';
import { knownProfiles } from '../close/sales/load-profiles.ts';
import type { Profile } from '../close/sales/profile.ts';
import { saleNumbersIn } from '../close/sales/sale-numbers.ts';
import { expandFiles, type SurveyedFile, surveyFile } from '../close/sales/survey-file.ts';
import { TieoutError } from '../kernel/errors.ts';
import { compareText } from '../kernel/text.ts';

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

/** What one list of files is named by: patterns, or the names of files for which there is none. */
export type FilePatterns = {
  readonly entries: readonly string[];
  /** Files that are named by themselves, so that the next download has to be named as well. */
  readonly alone: readonly string[];
};

/**
 * The patterns of files, by their names without numbers and dates, so that the next month's download is read as well. A
 * pattern is used only where it fits no file of another list; of a name with digits there is a narrower one.
 *
 * @param files the files of one list
 * @param all every file in the folder
 */
export const filePatterns = (files: readonly string[], all: readonly string[]): FilePatterns => {
  const others = all.filter((name) => !files.includes(name));
  const named = files.map((name) => {
    const pattern = patternsOf(name).find((one) => !others.some((other) => fits(one, other)));
    return { name, pattern: pattern ?? name };
  });
  const used = [...new Set(named.map(({ pattern }) => pattern))];
  return {
    // A pattern that fits the text of another one fits all of its files.
    entries: used.filter((one) => !used.some((other) => other !== one && fits(other, one))),
    alone: named.filter(({ name, pattern }) => name === pattern).map(({ name }) => name),
  };
};

const MONTH =
  '(?<![a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])';
/** A number, or a date: numbers and months with what stands between them. */
const DATED = new RegExp(`(?:\\d+|${MONTH})(?:[-_., ]*(?:\\d+|${MONTH}|to(?![a-z])))*`, 'gi');

/** The patterns of a name, the widest first; none of a name that only a pattern for every file would fit. */
const patternsOf = (name: string): readonly string[] => {
  const dot = name.lastIndexOf('.');
  const [whole, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const stem = whole.replace(/ ?\(\d+\)$/, '');
  if (/[*?[\]{}()!]/.test(stem)) return [];
  const wide = stem.replace(DATED, '*').replace(/\*[-_ .*]*\*/g, '*');
  // Without its month, a name is not told apart by its digits.
  const narrow = new RegExp(MONTH, 'i').test(stem) ? stem : stem.replace(/\d+(?:[-_., ]*\d+)*/g, '[0-9]*');
  return [
    ...(wide === '*' ? [] : [wide.includes('*') ? wide : `${wide}*`]),
    ...(narrow === stem ? [] : [narrow]),
  ].map((pattern) => `${pattern}${ending}`);
};

const fits = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .split(/(\*|\[0-9\])/)
      .map((part) =>
        part === '*' ? '.*' : part === '[0-9]' ? part : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('')}$`,
  ).test(name);
