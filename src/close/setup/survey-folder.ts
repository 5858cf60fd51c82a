import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { compareText } from '../../kernel/compare-text.ts';
import { TieoutError } from '../../kernel/errors.ts';
import { registerReader } from '../certificates/read-register.ts';
import { type Detected, detectProfile } from '../sales/detect-profile.ts';
import { compareNames } from '../sales/files/compare-names.ts';
import { expandFiles } from '../sales/files/expand-files.ts';
import type { FileSource } from '../sales/files/open-bytes.ts';
import { type SurveyedFile, surveyFile } from '../sales/files/survey-file.ts';
import { knownProfiles } from '../sales/load-profiles.ts';
import type { Profile } from '../sales/profile.ts';

/** A file in the folder whose columns match a profile. */
export type RecognisedFile = {
  readonly entry: string;
  readonly file: SurveyedFile;
  readonly found: Detected;
};

/** A file that no configuration can use: not a table, not described by any profile, or unreadable. */
export type StrangeFile = {
  readonly entry: string;
  readonly said: string;
  readonly what: 'no-table' | 'unknown' | 'unreadable';
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

/** Text without an ending can be an export, too: its columns show it. */
const TABLES = new Set(['', '.csv', '.tsv', '.txt', '.xlsx', '.xls', '.zip', '.gz']);
const PROFILES = new Set(['.yaml', '.yml']);

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
  const visible = inside.filter(({ name }) => !/^(\.|~\$)|^(Thumbs\.db|desktop\.ini)$/i.test(name));
  const names = visible.filter((one) => !one.isDirectory()).map(({ name }) => name);
  const own = names.filter((name) => PROFILES.has(extname(name).toLowerCase())).flatMap(ownProfileIn(folder));
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
    strange: [] as StrangeFile[],
  };
  for (const entry of names.sort(compareNames)) {
    if (own.some((one) => one.entry === entry)) continue;
    looking(entry);
    if (!TABLES.has(extname(entry).toLowerCase())) {
      survey.strange.push({ entry, said: 'not a table of sales', what: 'no-table' });
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

/** Read a YAML file as a profile; a configuration in the folder is YAML too, and is skipped. */
const ownProfileIn =
  (folder: string) =>
  (entry: string): { readonly entry: string; readonly profile: Profile }[] => {
    try {
      const { profiles, wanted } = knownProfiles(entry, (name) => join(folder, name));
      const profile = profiles.find(({ id }) => id === wanted);
      return profile ? [{ entry, profile }] : [];
    } catch (error) {
      if (error instanceof TieoutError && error.recovery !== 'defect') return [];
      throw error;
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
    else survey.strange.push({ entry, said: saidOf(error), what: strangeness(entry, error) });
  }
};

/** Unrecognised text files, and files without an ending, are probably notes and not exports. */
const strangeness = (entry: string, { code }: TieoutError): StrangeFile['what'] => {
  const ending = extname(entry).toLowerCase();
  if (ending === '') return 'no-table';
  if (code !== 'E_EXPORT_UNKNOWN') return 'unreadable';
  return ending === '.txt' ? 'no-table' : 'unknown';
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
    strange.push({ entry, said: saidOf(error), what: 'unreadable' });
    return otherwise;
  }
};

/** The message and code of an error about a file, without the file's path. */
export const saidOf = ({ code, message }: TieoutError): string =>
  `${message.replace(/^(?:.*[\\/])?[^:\\/]+\.\w+: /, '').replace(/\.$/, '')} (${code})`;
