import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerReader } from '../certificates/read-register.ts';
import { TieoutError } from '../kernel/errors.ts';
import { compareText } from '../kernel/text.ts';
import { type Detected, detectProfile } from '../sales/detect-profile.ts';
import { draftCommand } from '../sales/draft-profile.ts';
import { isForeignSpreadsheet, isHidden, namedAs } from '../sales/file-source.ts';
import { knownProfiles } from '../sales/load-profiles.ts';
import type { Profile } from '../sales/profile.ts';
import { saleNumbersIn } from '../sales/sale-numbers.ts';
import { expandFiles, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';

/** A file in the folder whose columns match a profile. */
export type RecognisedFile = {
  readonly entry: string;
  readonly file: SurveyedFile;
  readonly found: Detected;
};

/** A file that no configuration can use, why, and what to do if it has sales; nothing if it is not a table. */
export type StrangeFile = { readonly entry: string; readonly what: string; readonly step?: string };

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
/** A profile has these two keys; a configuration has the same ending, and so have data of other programs. */
const MEANT_AS_PROFILE = /\bschema\b.*\b(?:extends|capability)\b/s;

/** Identify each file in a folder. An unusable file does not stop the others from being recognised. */
export const surveyFolder = async (folder: string): Promise<FolderSurvey> => {
  const inside = await readdir(folder, { withFileTypes: true });
  const visible = inside
    .filter(({ name }) => !isHidden(name))
    .sort((one, other) => compareText(one.name, other.name));
  const survey: Survey = { recognised: [], certificates: [], strange: [] };
  const own = new Map<string, Profile>();
  const tables: string[] = [];
  for (const { name } of visible.filter((one) => !one.isDirectory())) {
    const profile = PROFILE_FILE.test(name) ? await profileIn(folder, name) : undefined;
    if (profile === undefined) tables.push(name);
    else if ('what' in profile) survey.strange.push(profile);
    else own.set(name, profile);
  }
  const all = [...knownProfiles(undefined, String).profiles, ...own.values()];
  const known = [...new Map(all.map((profile) => [profile.id, profile])).values()];
  for (const entry of tables) await surveyFileIn(folder, entry, known, survey);
  return {
    ...survey,
    ownProfiles: [...own].map(([entry, { id }]) => ({ entry, id })),
    folders: visible.filter((one) => one.isDirectory()).map(({ name }) => name),
  };
};

type Survey = { recognised: RecognisedFile[]; certificates: string[]; strange: StrangeFile[] };

/** Read a file as a profile; `undefined` if it is something else. */
const profileIn = async (folder: string, entry: string): Promise<Profile | StrangeFile | undefined> => {
  try {
    const { profiles, wanted } = knownProfiles(entry, (name) => join(folder, name));
    return profiles.find(({ id }) => id === wanted);
  } catch (error) {
    const text = await readFile(join(folder, entry), 'utf8').catch(() => '');
    const what = problemOf(error);
    return MEANT_AS_PROFILE.test(text) ? { entry, what, step: 'Correct it, and run init again' } : undefined;
  }
};

const surveyFileIn = async (
  folder: string,
  entry: string,
  profiles: readonly Profile[],
  { recognised, certificates, strange }: Survey,
): Promise<void> => {
  const noTable = { entry, what: 'not a table of sales' };
  if (namedAs(entry) === 'no-table') return void strange.push(noTable);
  if (isForeignSpreadsheet(entry)) {
    const what = 'a spreadsheet of a kind that is not read';
    return void strange.push({ entry, what, step: 'If it has sales, save it as XLSX or CSV' });
  }
  // What can be used of an archive is used.
  const sources = await orProblem(() => expandFiles([entry], (name) => join(folder, name)));
  for (const source of 'problem' in sources ? [] : sources.value) {
    const file = await orProblem(() => surveyFile(source));
    const found = 'problem' in file ? file : await orProblem(() => detectProfile(file.value, profiles));
    if (!('problem' in file) && !('problem' in found))
      recognised.push({ entry, file: file.value, found: found.value });
    else if (!('problem' in file) && !('problem' in (await orProblem(() => registerReader()(file.value)))))
      certificates.push(entry);
    // A file whose name does not call it a table is probably a note, unless it holds sales.
    else if (namedAs(entry) === 'other' && (await saleNumbersIn(source)).length === 0) strange.push(noTable);
    else if ('problem' in found) strange.push(unusable(folder, entry, found.problem));
  }
  if ('problem' in sources) strange.push(unusable(folder, entry, sources.problem));
};

type Tried<Value> = { readonly value: Value } | { readonly problem: TieoutError };

const orProblem = async <Value>(work: () => Promise<Value>): Promise<Tried<Value>> => {
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery === 'defect') throw error;
    return { problem: error };
  }
};

const unusable = (folder: string, entry: string, problem: TieoutError): StrangeFile => ({
  entry,
  what: problemOf(problem),
  step:
    problem.code === 'E_EXPORT_UNKNOWN'
      ? `If it has sales, describe it: \`${draftCommand(join(folder, entry))}\`. Answer each DECIDE in the draft, then run init again`
      : 'If it has sales, repair it or export it again',
});

/** The message and code of an error about a file, without the file's path. */
export const problemOf = (error: unknown): string => {
  if (!(error instanceof TieoutError) || error.recovery === 'defect') throw error;
  const { code, message } = error;
  return `${message.replace(/^(?:.*?[\\/][^:\\/]+|[^:\\/]+\.\w+): /, '').replace(/\.$/, '')} (${code})`;
};

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
