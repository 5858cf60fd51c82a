import { readdir } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { registerReader } from '../certificates/read-register.ts';
import { TieoutError } from '../kernel/errors.ts';
import { compareText } from '../kernel/text.ts';
import { usRegionCode, usRegionsOfZip } from '../kernel/us-regions.ts';
import { type Detected, detectProfile } from '../sales/detect-profile.ts';
import { draftCommand, saleNumbersIn } from '../sales/draft-profile.ts';
import { isHidden, namedAs } from '../sales/file-source.ts';
import { knownProfiles } from '../sales/load-profiles.ts';
import type { Profile } from '../sales/profile.ts';
import { expandFiles, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';

/** A file in the folder whose columns match a profile. */
export type RecognisedFile = {
  readonly entry: string;
  readonly file: SurveyedFile;
  readonly found: Detected;
};

/** A file that no configuration can use, why, and what to do if it has sales; nothing if it is not a table. */
export type StrangeFile = { readonly entry: string; readonly what: string; readonly step?: string };

/** The contents of a folder; files are identified by their names in it. */
export type FolderSurvey = {
  readonly recognised: readonly RecognisedFile[];
  readonly certificates: readonly string[];
  /** Profile files of the user's own, by the ids of their profiles. */
  readonly ownProfiles: ReadonlyMap<string, string>;
  readonly strange: readonly StrangeFile[];
};

type Survey = { recognised: RecognisedFile[]; certificates: string[]; strange: StrangeFile[] };

/** Identify each file in a folder, but none in folders inside. An unusable file does not stop the others from being recognised. */
export const surveyFolder = async (folder: string): Promise<FolderSurvey> => {
  const inside = await readdir(folder, { withFileTypes: true });
  const names = inside
    .filter((one) => !one.isDirectory() && !isHidden(one.name))
    .map(({ name }) => name)
    .sort(compareText);
  const survey: Survey = { recognised: [], certificates: [], strange: [] };
  const known = new Map(knownProfiles(undefined, String).profiles.map((profile) => [profile.id, profile]));
  const ownProfiles = new Map<string, string>();
  const tables: string[] = [];
  for (const name of names) {
    if (!/\.(ya?ml|json)$/i.test(name)) tables.push(name);
    else {
      const own = await orProblem(async () => profileIn(folder, name));
      if ('problem' in own)
        survey.strange.push({ entry: name, what: `no source profile: ${problemOf(own.problem)}` });
      else if (own.value) {
        known.set(own.value.id, own.value);
        ownProfiles.set(own.value.id, name);
      }
    }
  }
  for (const entry of tables) await surveyFileIn(folder, entry, [...known.values()], survey);
  return { ...survey, ownProfiles };
};

const profileIn = (folder: string, entry: string): Profile | undefined => {
  const { profiles, wanted } = knownProfiles(entry, (name) => join(folder, name));
  return profiles.find(({ id }) => id === wanted);
};

const surveyFileIn = async (
  folder: string,
  entry: string,
  profiles: readonly Profile[],
  { recognised, certificates, strange }: Survey,
): Promise<void> => {
  const noTable = { entry, what: 'not a table of sales' };
  if (namedAs(entry) === 'no-table') return void strange.push(noTable);
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
      : 'If it has sales, repair it or export it again as CSV or XLSX',
});

/** The message and code of an error about a file, without the file's path. */
export const problemOf = ({ code, message }: TieoutError): string =>
  `${message.replace(/^(?:.*?[\\/][^:\\/]+|[^:\\/]+\.\w+): /, '').replace(/\.$/, '')} (${code})`;

const MONTH =
  '(?<![a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])';

/**
 * The pattern of a file and of the next month's download: its name with any number and month. The name itself, where the
 * pattern fits other files as well.
 *
 * @param others the files in the folder that belong to something else
 */
export const patternOf = (name: string, others: readonly string[]): string => {
  const dot = name.lastIndexOf('.');
  const [whole, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const stem = whole.replace(/ ?\(\d+\)$/, '');
  if (/[*?[\]{}()!]/.test(stem)) return name;
  const dated = stem.replace(new RegExp(MONTH, 'gi'), '*').replace(/\d+/g, '[0-9]*');
  const pattern = `${dated === stem ? `${stem}*` : dated}${ending}`;
  return pattern === `*${ending}` || others.some((other) => matchesGlob(other, pattern)) ? name : pattern;
};

/** Where orders are sent from. */
export type ShipFrom = {
  readonly state: string;
  readonly zip: string;
  readonly city: string;
  readonly street: string;
};

/**
 * Parse a ZIP code alone, or an address that ends in one: `1201 K Street, Sacramento, CA 95814`.
 *
 * @returns a text that says what is wrong if it is neither
 */
export const readShipFrom = (text: string): ShipFrom | string => {
  const address = text.trim().replace(/[\s,]+(?:USA?|United States)$/i, '');
  const [, before = '', zip = ''] = /^(.*?)[\s,]*(\d{5}(?:-\d{4})?)$/s.exec(address) ?? [];
  if (zip === '') return `"${text}" does not end in a ZIP code`;
  const states = usRegionsOfZip(zip);
  if (states.length === 0) return `"${zip}" is not a ZIP code in use`;
  const [, rest = '', code = ''] = /^(.*?)[\s,]*\b([A-Za-z]{2})$/s.exec(before) ?? [];
  const named = usRegionCode(code);
  if (named !== undefined && !states.includes(named))
    return `${zip} is in ${states.join(' or ')}, not in ${named}`;
  const [state = '', ...others] = named === undefined ? states : [named];
  if (others.length > 0) return `${zip} may be in ${states.join(' or ')}, and no state is named`;
  const parts = (named === undefined ? before : rest)
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const city = parts.pop() ?? '';
  return { state, zip, city, street: parts.join(', ') };
};
