import { join, matchesGlob } from 'node:path';
import { registerReader } from '../certificates/read-register.ts';
import type { TaxedAddress } from '../contract/tax-service.ts';
import { TieoutError } from '../kernel/errors.ts';
import { usRegionCode, usRegionsOfZip } from '../kernel/us-regions.ts';
import { type Detected, detectProfile, knownProfiles, shippedProfiles } from '../sales/detect-profile.ts';
import { draftCommand } from '../sales/draft-profile.ts';
import { isTableName } from '../sales/file-source.ts';
import type { Profile } from '../sales/profile.ts';
import { expandFiles, filesIn, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';

/** A file in the folder whose columns match a profile. */
export type RecognisedFile = {
  readonly entry: string;
  readonly file: SurveyedFile;
  readonly found: Detected;
};

/** The contents of a folder; files are identified by their names in it. */
export type FolderSurvey = {
  readonly recognised: RecognisedFile[];
  readonly certificates: string[];
  /** Profile files of the user's own, by the ids of their profiles. */
  readonly ownProfiles: Map<string, string>;
  /** Files that no configuration can use, with why. */
  readonly strange: {
    readonly entry: string;
    readonly what: string;
  }[];
};

/** Identify each file in a folder, but none in folders inside. An unusable file does not stop the others from being recognised. */
export const surveyFolder = async (folder: string): Promise<FolderSurvey> => {
  const names = await filesIn(folder);
  const isProfile = (name: string): boolean => /\.(ya?ml|json)$/i.test(name);
  const survey: FolderSurvey = { recognised: [], certificates: [], ownProfiles: new Map(), strange: [] };
  const known = new Map(shippedProfiles().map((profile) => [profile.id, profile]));
  for (const entry of names.filter(isProfile)) {
    const own = await orProblem(async () => knownProfiles(entry, (name) => join(folder, name)));
    if (own instanceof TieoutError)
      survey.strange.push({ entry, what: `no source profile: ${problemOf(own)}` });
    else
      for (const profile of own.profiles.filter(({ id }) => id === own.wanted)) {
        known.set(profile.id, profile);
        survey.ownProfiles.set(profile.id, entry);
      }
  }
  const profiles = [...known.values()];
  for (const entry of names.filter((name) => !isProfile(name)))
    await surveyFileIn(folder, entry, profiles, survey);
  return survey;
};

/** Adds what a file is to a survey. What can be used of an archive is used. */
const surveyFileIn = async (
  folder: string,
  entry: string,
  profiles: readonly Profile[],
  { recognised, certificates, strange }: FolderSurvey,
): Promise<void> => {
  const add = (problem: TieoutError): void => {
    const isUnknown = problem.code === 'E_EXPORT_UNKNOWN' && isTableName(entry);
    const step = isUnknown
      ? `. If it has sales, describe it: \`${draftCommand(join(folder, entry))}\`. Answer each DECIDE in the draft, then run init again`
      : '';
    strange.push({ entry, what: `${problemOf(problem)}${step}` });
  };
  const sources = await orProblem(() => expandFiles([entry], (name) => join(folder, name)));
  if (sources instanceof TieoutError) return add(sources);
  for (const source of sources) {
    const file = await orProblem(() => surveyFile(source));
    const found = file instanceof TieoutError ? file : await orProblem(() => detectProfile(file, profiles));
    if (file instanceof TieoutError) add(file);
    else if (!(found instanceof TieoutError)) recognised.push({ entry, file, found });
    else if ((await orProblem(() => registerReader()(file))) instanceof TieoutError) add(found);
    else certificates.push(entry);
  }
};

/** Returns what some work gives, or the designed error that stops it. */
const orProblem = async <Value>(work: () => Promise<Value>): Promise<Value | TieoutError> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery === 'defect') throw error;
    return error;
  }
};

/** The message and code of an error about a file, without the file's path. */
const problemOf = ({ code, message }: TieoutError): string =>
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
export type ShipFrom = Omit<TaxedAddress, 'country'>;

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
