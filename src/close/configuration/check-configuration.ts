import {
  type PlaceOf,
  type Problem,
  problemAt,
  schemaProblems,
  unknownKey,
} from '../../kernel/schema-problems.ts';
import { Configuration } from './schema.ts';
import {
  collisionsOf,
  isMapping,
  isSaidByEntity,
  OWN_KEYS,
  SHARED_KEYS,
  withShared,
} from './several-entities.ts';

/** The entities of a file, or what is wrong with it. */
export type Checked =
  | { readonly entities: readonly Configuration[]; readonly problems: readonly [] }
  | { readonly entities: readonly []; readonly problems: readonly Problem[] };

/** Have a problem name the value that it is about. */
const REPORTED = { reportInput: true };

/** Check the data of a configuration file: that of one entity, or of several under `entities`. */
export const checkConfiguration = (data: unknown): Checked => {
  if (isMapping(data) && 'entities' in data) return checkSeveral(data);
  const result = Configuration.safeParse(data, REPORTED);
  return result.success
    ? { entities: [result.data], problems: [] }
    : { entities: [], problems: schemaProblems(Configuration, result.error.issues) };
};

const checkSeveral = ({ entities, ...shared }: Readonly<Record<string, unknown>>): Checked => {
  const problems = Object.keys(shared).flatMap(problemOfShared);
  const usable = Object.fromEntries(Object.entries(shared).filter(([key]) => SHARED_KEYS.includes(key)));
  const found: Configuration[] = [];
  if (!Array.isArray(entities) || entities.length === 0)
    problems.push(problemAt(['entities'], 'must be a list of at least one entity'));
  for (const [index, entity] of (Array.isArray(entities) ? entities : []).entries()) {
    if (!isMapping(entity)) {
      problems.push(problemAt(['entities', index], 'must be keys and values'));
      continue;
    }
    const result = Configuration.safeParse(withShared(entity, usable), REPORTED);
    const placeOf: PlaceOf = (path) =>
      isSaidByEntity(path, entity, usable) ? ['entities', index, ...path] : path;
    if (result.success) found.push(result.data);
    else problems.push(...schemaProblems(Configuration, result.error.issues, placeOf));
  }
  if (problems.length === 0) problems.push(...collisionsOf(found));
  // What is wrong with a shared part is wrong for each entity, and said once.
  return problems.length === 0
    ? { entities: found, problems: [] }
    : { entities: [], problems: [...new Map(problems.map((one) => [one.text, one])).values()] };
};

const problemOfShared = (key: string): Problem[] => {
  if (SHARED_KEYS.includes(key)) return [];
  if (OWN_KEYS.includes(key)) return [problemAt([key], 'belongs into each entity, not beside `entities`')];
  return [unknownKey([], key, [...SHARED_KEYS, 'entities'])];
};
