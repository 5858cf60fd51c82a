import type * as z from 'zod';
import { nearestName, shownNumber } from './text.ts';

/** Maps a path within the checked data to its path within the file. */
export type PlaceOf = (path: readonly PropertyKey[]) => readonly PropertyKey[];

const inItself: PlaceOf = (path) => path;

/** A problem at one place, in words for the person who wrote the file. */
export type Problem = { readonly at: readonly PropertyKey[]; readonly text: string };

/** @param whole the name for a problem that is not in any part */
export const problemTexts = (problems: readonly Problem[], whole = THE_FILE): readonly string[] =>
  problems.map(({ text }) =>
    text.startsWith(`${THE_FILE}:`) ? `${whole}${text.slice(THE_FILE.length)}` : text,
  );

const THE_FILE = 'the file';

/** List the problems of a file's data, each with its place. */
export const schemaProblems = (
  schema: z.core.$ZodType,
  issues: readonly z.core.$ZodIssue[],
  placeOf: PlaceOf = inItself,
): readonly Problem[] =>
  issues.flatMap(innermost).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [problemAt(placeOf(issue.path), ruleOf(schema, issue))];
    const known = keysOf(schemasAt(schema, issue.path));
    return issue.keys.map((key) => {
      const place = placeOf([...issue.path, key]);
      return unknownKey(place.slice(0, -1), key, known);
    });
  });

export const problemAt = (at: readonly PropertyKey[], rule: string): Problem => ({
  at,
  text: `${placeText(at) || THE_FILE}: ${rule}`,
});

/** Describe a key that the schema does not have at this place, with the nearest known key. */
export const unknownKey = (place: readonly PropertyKey[], key: string, known: readonly string[]): Problem => {
  const nearest = nearestName(key, known);
  const inside = place.length > 0 ? `${placeText(place)}: ` : '';
  const hint = nearest
    ? `; did you mean "${nearest}"?`
    : place.length > 0 && known.length > 0
      ? `; it may be ${known.join(', ')}`
      : '';
  return { at: [...place, key], text: `${inside}unknown key "${key}"${hint}` };
};

/** In a union, when only the parts of one form are wrong, that form was meant: return the problems of its parts. */
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
  const rule = wantedOf(schema, issue);
  // For a value of a different type, showing the value adds nothing.
  const given = issue.code === 'invalid_type' ? undefined : shownValue(issue.input);
  return given === undefined || rule.includes(given) ? rule : `${rule}, not ${given}`;
};

const wantedOf = (schema: z.core.$ZodType, issue: z.core.$ZodIssue): string => {
  if (issue.code !== 'invalid_union') return plainRule(issue);
  const forms = [...new Set(schemasAt(schema, issue.path).map(formOf))];
  return forms.length > 0 ? `must be ${forms.join(' or ')}` : issue.message;
};

const SHOWN_MAX = 40;

/** Return a short value as given, where the check reports it; never an address, which may contain a password. */
const shownValue = (value: unknown): string | undefined => {
  if (value === null || !['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  const text = JSON.stringify(value);
  return text.length > SHOWN_MAX || text.includes('://') ? undefined : text;
};

/** Put the messages of the library into our words; keep the messages of a schema. */
const plainRule = (issue: z.core.$ZodIssue): string => {
  if (!/^(Invalid|Too) /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_value') return `must be ${listed(issue.values)}`;
  if (issue.code === 'invalid_type') {
    const isUnquoted = issue.expected === 'string' && /received (number|boolean)$/.test(issue.message);
    return `must be ${KINDS[issue.expected] ?? issue.expected}${isUnquoted ? ', so put it in quotes' : ''}`;
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const [bound, more, most] =
      issue.code === 'too_small' ? [issue.minimum, 'more', 'least'] : [issue.maximum, 'less', 'most'];
    if (issue.origin === 'number' || issue.origin === 'int') return `must be ${bound} or ${more}`;
    const [one, many] = issue.origin === 'string' ? ['character', 'characters'] : ['entry', 'entries'];
    return `must have at ${most} ${shownNumber(Number(bound), one, many)}`;
  }
  return 'has a form that is not allowed here';
};

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys and values',
  record: 'keys and values',
};

const listed = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' or ');

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

/** The forms that a value may have: the schema without its wrappers, or each form of a union. */
const formsOf = (schema: z.core.$ZodType | undefined): readonly z.core.$ZodType[] => {
  if (schema === undefined) return [];
  const { innerType, in: before, getter, options } = definitionOf(schema);
  const inside = innerType ?? before ?? getter?.();
  if (inside) return formsOf(inside);
  return options ? options.flatMap(formsOf) : [schema];
};

/** Find the forms at a path by walking the schema as data. */
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

/** Describe a form in a few words: `a text`, `{ column, in }`, `"always"`. */
const formOf = (form: z.core.$ZodType): string => {
  const { type, shape, entries, values } = definitionOf(form);
  if (shape) return `{ ${Object.keys(shape).join(', ')} }`;
  const words = values ?? Object.values(entries ?? {});
  if (words.length > 0) return listed(words);
  return type === 'string' ? 'a text' : type === 'array' ? 'a list' : `a ${type}`;
};
