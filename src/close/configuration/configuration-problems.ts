import type * as z from 'zod';
import { nearestName } from './nearest-name.ts';
import { Configuration } from './schema.ts';

/** Where in the file something stands, from its path inside the configuration of one entity. */
export type PlaceOf = (path: readonly PropertyKey[]) => readonly PropertyKey[];

export const inOneEntity: PlaceOf = (path) => path;

/** What is wrong with the configuration of an entity: each problem with its place in the file. */
export const problemsOf = (issues: readonly z.core.$ZodIssue[], placeOf: PlaceOf): readonly string[] =>
  issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys')
      return [`${placeText(placeOf(issue.path)) || 'the file'}: ${ruleOf(issue)}`];
    const known = knownKeys(issue.path);
    return issue.keys.map((key) => unknownKey(placeOf([...issue.path, key]).slice(0, -1), key, known));
  });

const ruleOf = ({ message }: z.core.$ZodIssue): string =>
  message.endsWith('received undefined') ? 'is missing' : message;

/** What to say of a key that the schema does not have at a place. */
export const unknownKey = (place: readonly PropertyKey[], key: string, known: readonly string[]): string => {
  const nearest = nearestName(key, known);
  const inside = place.length > 0 ? `${placeText(place)}: ` : '';
  return `${inside}unknown key "${key}"${nearest ? `; did you mean "${nearest}"?` : ''}`;
};

const placeText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** The keys the schema knows at a path, found by walking it as data. */
const knownKeys = (path: readonly PropertyKey[]): readonly string[] => {
  let schema: z.core.$ZodType | undefined = Configuration;
  for (const part of path) {
    const { element, valueType } = definitionOf(unwrap(schema));
    schema = typeof part === 'number' ? element : (shapeOf(unwrap(schema))[String(part)] ?? valueType);
  }
  return Object.keys(shapeOf(unwrap(schema)));
};

type Definition = {
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly shape?: Record<string, z.core.$ZodType>;
};

const definitionOf = (schema: z.core.$ZodType | undefined): Definition =>
  (schema?._zod.def ?? {}) as Definition;

const unwrap = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined => {
  const { innerType } = definitionOf(schema);
  return innerType ? unwrap(innerType) : schema;
};

const shapeOf = (schema: z.core.$ZodType | undefined): Record<string, z.core.$ZodType> =>
  definitionOf(schema).shape ?? {};
