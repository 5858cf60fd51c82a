import { normalize } from 'node:path';
import * as z from 'zod';
import {
  type PlaceOf,
  type Problem,
  problemAt,
  schemaProblems,
  unknownKey,
} from '../kernel/schema-problems.ts';
import { Configuration } from './schema.ts';

/** The entities of a file, or the problems found in it. */
export type Checked =
  | { readonly entities: readonly Configuration[]; readonly problems: readonly [] }
  | { readonly entities: readonly []; readonly problems: readonly Problem[] };

/** Make each problem name the value it is about. */
const REPORTED = { reportInput: true };

/** Check the data of a configuration file, with one entity or with several under `entities`. */
export const checkConfiguration = (data: unknown): Checked => {
  if (isMapping(data) && 'entities' in data) return checkSeveral(data);
  const result = Configuration.safeParse(data, REPORTED);
  return result.success
    ? { entities: [result.data], problems: [] }
    : {
        entities: [],
        problems: schemaProblems(Configuration, result.error.issues, undefined, REPLACED_KEYS),
      };
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
    // What only the shared part says is wrong there.
    const placeOf: PlaceOf = (path) => {
      const [key = '', inner = ''] = path.map(String);
      const isFilled = isFilledUp(key) && isIn(usable[key], inner) && !isIn(entity[key], inner);
      return isFilled || (key in usable && !(key in entity)) ? path : ['entities', index, ...path];
    };
    if (result.success) found.push(result.data);
    else problems.push(...schemaProblems(Configuration, result.error.issues, placeOf, REPLACED_KEYS));
  }
  if (problems.length === 0) problems.push(...collisionsOf(found));
  // A problem in a shared part recurs for each entity; report it once.
  return problems.length === 0
    ? { entities: found, problems: [] }
    : { entities: [], problems: [...new Map(problems.map((one) => [one.text, one])).values()] };
};

const problemOfShared = (key: string): Problem[] => {
  if (SHARED_KEYS.includes(key)) return [];
  if (OWN_KEYS.includes(key)) return [problemAt([key], 'belongs into each entity, not beside `entities`')];
  const replaced = REPLACED_KEYS[key];
  if (replaced !== undefined) return [problemAt([key], replaced)];
  return [unknownKey([], key, [...SHARED_KEYS, 'entities'])];
};

/** Keys that belong to a single entity. All other keys may appear beside `entities` as defaults for every entity. */
const OWN_KEYS: readonly string[] = [
  ...['entity', 'name', 'registrations', 'channels', 'ledger', 'decisions'],
];

const shape: Readonly<Record<string, z.core.$ZodType>> = Configuration.shape;

/** The keys that may stand beside `entities`. */
const SHARED_KEYS: readonly string[] = Object.keys(shape).filter((key) => !OWN_KEYS.includes(key));

const shared = Object.fromEntries(SHARED_KEYS.map((key) => [key, z.optional(shape[key] ?? z.never())]));

const own = Object.fromEntries(OWN_KEYS.map((key) => [key, shape[key] ?? z.never()]));

/** The schema of a configuration file with several entities, for editors. Each merged entity is checked on its own. */
export const SeveralEntities = z.strictObject({
  ...shared,
  entities: z.array(z.strictObject({ ...own, ...shared })).min(1),
});

type Mapping = Readonly<Record<string, unknown>>;

const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isIn = (value: unknown, key: string): boolean => isMapping(value) && key in value;

/**
 * Whether a key is merged key by key with the shared part: true for parts whose keys are all optional. An entity
 * replaces any other part as a whole.
 */
const isFilledUp = (key: string): boolean => {
  const schema = shape[key];
  return schema !== undefined && z.safeParse(schema, {}).success;
};

/** Merge an entity with the shared parts. */
const withShared = (entity: Mapping, sharedParts: Mapping): Mapping => {
  const whole: Record<string, unknown> = { ...sharedParts, ...entity };
  for (const key of Object.keys(sharedParts)) {
    const general = sharedParts[key];
    const particular = entity[key];
    if (isFilledUp(key) && isMapping(general) && isMapping(particular))
      whole[key] = { ...general, ...particular };
  }
  return whole;
};

type Served = Pick<Configuration, 'service' | 'channels' | 'entity'>;

/** Find entities that would overwrite each other's folders or records, or count the same sales. */
const collisionsOf = (entities: readonly Served[]): readonly Problem[] =>
  entities.flatMap((entity, index) =>
    entities
      .slice(0, index)
      .flatMap((other) => [
        ...(other.entity === entity.entity
          ? [problemAt(['entities', index, 'entity'], `"${entity.entity}" is that of another entity already`)]
          : []),
        ...mixedProviders(entity, other).map((provider) =>
          problemAt(
            ['entities', index],
            `its "${provider}" would mix with that of ${other.entity} at the service, which sees one account; give each a service.keyVariable of its own, or their channels different providers`,
          ),
        ),
        ...sharedExports(entity, other).map(({ channel, file }) =>
          problemAt(
            ['entities', index, 'channels', channel, 'files'],
            `"${file}" is read by ${other.entity} as well, so both would have all of its sales; give each its own export, or each a profile that takes only its own rows`,
          ),
        ),
      ]),
  );

/** Returns the providers that two entities have in common in one account of a remote service. */
const mixedProviders = (entity: Served, other: Served): readonly string[] => {
  const { url, keyVariable } = entity.service;
  if (url === undefined || url !== other.service.url || keyVariable !== other.service.keyVariable) return [];
  const taken = new Set(other.channels.map(({ name, provider = name }) => provider));
  return entity.channels.map(({ name, provider = name }) => provider).filter((each) => taken.has(each));
};

/** Returns exports that two entities read in the same way. Profiles of their own may each take other rows of one. */
const sharedExports = (entity: Served, other: Served) =>
  entity.channels.flatMap(({ profile, files }, channel) => {
    const taken = other.channels
      .filter((its) => its.profile === undefined || profile === undefined || its.profile === profile)
      .flatMap((its) => its.files.map((path) => normalize(path)));
    return files.filter((file) => taken.includes(normalize(file))).map((file) => ({ channel, file }));
  });

const IN_DECISIONS =
  'was replaced by lines of decisions.csv beside this file, below the line key,decision,why';

/** Keys that the configuration no longer has, each with what to write in their place. */
const REPLACED_KEYS: Readonly<Record<string, string>> = {
  overrides: `${IN_DECISIONS}: 2026-10 R99 of D-523 at 5.00,Set by hand,settled with the customer`,
  'policy.accept': `${IN_DECISIONS}: 2026-10 R10 of #5072,Accept,given back to the customer`,
};
