import type * as z from 'zod';
import { nearestName } from './nearest-name.ts';

/** Where in the file something stands, from its path inside what was checked. */
export type PlaceOf = (path: readonly PropertyKey[]) => readonly PropertyKey[];

const inItself: PlaceOf = (path) => path;

/** What is wrong with the data of a file: each problem with its place, in words for anyone who wrote the file. */
export const schemaProblems = (
  schema: z.core.$ZodType,
  issues: readonly z.core.$ZodIssue[],
  placeOf: PlaceOf = inItself,
): readonly string[] =>
  issues.flatMap(innermost).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys')
      return [`${placeText(placeOf(issue.path)) || 'the file'}: ${ruleOf(schema, issue)}`];
    const known = keysOf(schemasAt(schema, issue.path));
    return issue.keys.map((key) => unknownKey(placeOf([...issue.path, key]).slice(0, -1), key, known));
  });

/** What to say of a key that the schema does not have at a place. */
export const unknownKey = (place: readonly PropertyKey[], key: string, known: readonly string[]): string => {
  const nearest = nearestName(key, known);
  const inside = place.length > 0 ? `${placeText(place)}: ` : '';
  const hint = nearest
    ? `; did you mean "${nearest}"?`
    : place.length > 0 && known.length > 0
      ? `; it may be ${known.join(', ')}`
      : '';
  return `${inside}unknown key "${key}"${hint}`;
};

/** Where one form of several is meant, since only its parts are wrong, what is wrong with these. */
const innermost = (issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] => {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.filter(
    (errors) => errors.length > 0 && errors.every(({ path }) => path.length > 0),
  );
  if (meant.length !== 1) return [issue];
  return (meant[0] ?? [])
    .map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
    .flatMap(innermost);
};

const ruleOf = (schema: z.core.$ZodType, issue: z.core.$ZodIssue): string => {
  if (isMissing(issue)) return 'is missing';
  if (issue.code !== 'invalid_union') return issue.message;
  const forms = [...new Set(schemasAt(schema, issue.path).map(formOf))];
  return forms.length > 0 ? `must be ${forms.join(' or ')}` : issue.message;
};

const isMissing = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_union'
    ? issue.errors.length > 0 &&
      issue.errors.every((errors) => errors.some((each) => each.path.length === 0 && isMissing(each)))
    : issue.message.endsWith('received undefined');

const placeText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

type Definition = {
  readonly type?: string;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly getter?: () => z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly element?: z.core.$ZodType;
  readonly items?: readonly z.core.$ZodType[];
  readonly valueType?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
};

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def as Definition;

/** The forms that a value may have: the schema without what is wrapped around it, or each of a union. */
const formsOf = (schema: z.core.$ZodType | undefined): readonly z.core.$ZodType[] => {
  if (schema === undefined) return [];
  const { innerType, in: before, getter, options } = definitionOf(schema);
  const inside = innerType ?? before ?? getter?.();
  if (inside) return formsOf(inside);
  return options ? options.flatMap(formsOf) : [schema];
};

/** The forms at a path, found by walking the schema as data. */
const schemasAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly z.core.$ZodType[] =>
  path.reduce<readonly z.core.$ZodType[]>(
    (forms, part) =>
      forms.flatMap((form) => {
        const { element, items, valueType, shape } = definitionOf(form);
        return formsOf(
          typeof part === 'number' ? (element ?? items?.[part]) : (shape?.[String(part)] ?? valueType),
        );
      }),
    formsOf(schema),
  );

const keysOf = (forms: readonly z.core.$ZodType[]): readonly string[] => [
  ...new Set(forms.flatMap((form) => Object.keys(definitionOf(form).shape ?? {}))),
];

/** `a text`, `{ column, in }`, `"always"`: a form in a few words. */
const formOf = (form: z.core.$ZodType): string => {
  const { type, shape, entries, values } = definitionOf(form);
  if (shape) return `{ ${Object.keys(shape).join(', ')} }`;
  const words = values ?? Object.values(entries ?? {});
  if (words.length > 0) return words.map((word) => JSON.stringify(word)).join(' or ');
  return type === 'string' ? 'a text' : type === 'array' ? 'a list' : `a ${type}`;
};
