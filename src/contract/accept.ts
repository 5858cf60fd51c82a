import * as z from 'zod';
import { ServiceRefusal } from './refusal.ts';

/** Generating the code takes as long as reading some hundred inputs, more than a small month has. */
const USES_BEFORE_COMPILING = 200;

const uses = new WeakMap<z.ZodType, number>();
const compilations = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Return the schema; from its 200th use on with generated code, which reads valid input several times as fast. Invalid
 * input is read as before.
 */
export const compiled = <Schema extends z.ZodType>(schema: Schema): Schema => {
  const known = compilations.get(schema);
  if (known) return known as Schema;
  const used = (uses.get(schema) ?? 0) + 1;
  uses.set(schema, used);
  if (used < USES_BEFORE_COMPILING) return schema;
  const made = z.compile(schema);
  compilations.set(schema, made);
  return made;
};

/**
 * Read a body, a query or a parameter by its schema. A missing or malformed parameter is a 406 that names it, and the
 * others if there are several. Text that a database cannot store is a 422; well-formed parameters that contradict each
 * other are a 400. Of several problems the highest status is answered. Long lists are read in parts, and only as far as
 * the last problem that is named, because other requests wait meanwhile.
 *
 * @throws {ServiceRefusal} 400, 406, 422
 */
export const accept = <Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> => {
  const body = input ?? {};
  const longest = refuseLongLists(body);
  const found = new Findings();
  for (const part of longest > PART_LENGTH ? partsOf(body) : []) {
    const result = compiled(schema).safeParse(part.body, { reportInput: true });
    if (!result.success) for (const issue of result.error.issues) found.add(placed(issue, part));
    if (found.areEnough()) break;
  }
  if (found.count() > 0) throw found.refusal();
  const result = compiled(schema).safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) found.add(issue);
  throw found.refusal();
};

/** Maximum number of problems that one refusal names. */
const PROBLEMS_MAX = 100;
/** Maximum number of entries of any list; a longer list is refused before its entries are read. */
export const ENTRIES_MAX = 10_000;

/** The problems of a body, each once and in order. */
class Findings {
  readonly #problems = new Set<string>();
  #status: RefusedStatus = 400;

  add(issue: z.core.$ZodIssue): void {
    this.#problems.add(problemOf(issue));
    const status = statusOf(issue);
    if (status > this.#status) this.#status = status;
  }

  count(): number {
    return this.#problems.size;
  }

  /** Whether there are more than can be named. */
  areEnough(): boolean {
    return this.count() > PROBLEMS_MAX;
  }

  refusal(): ServiceRefusal {
    const [first = 'the request is malformed', ...others] = this.#problems;
    if (others.length === 0) return new ServiceRefusal(this.#status, first);
    const named = [first, ...others].slice(0, PROBLEMS_MAX);
    const detail = this.areEnough()
      ? [...named, `and more: only the first ${PROBLEMS_MAX} are named`]
      : named;
    return new ServiceRefusal(this.#status, detail);
  }
}

/** Correct the place of an issue in a part of a list to its place in the whole list. */
const placed = (issue: z.core.$ZodIssue, { list, offset }: BodyPart): z.core.$ZodIssue => {
  const [name, index, ...rest] = issue.path;
  if (name !== list || typeof index !== 'number') return issue;
  return { ...issue, path: [name, index + offset, ...rest] };
};

/** Return the length of the longest list of a body. @throws {ServiceRefusal} 406 */
const refuseLongLists = (body: object): number => {
  let longest = 0;
  for (const name in body) {
    const value: unknown = body[name as keyof typeof body];
    if (!Array.isArray(value)) continue;
    if (value.length > ENTRIES_MAX)
      throw new ServiceRefusal(406, `${name} must have at most ${ENTRIES_MAX} entries`);
    longest = Math.max(longest, value.length);
  }
  return longest;
};

type RefusedStatus = 400 | 406 | 422;

/** Return the status of a problem: 406 unless the schema names another. */
const statusOf = (issue: z.core.$ZodIssue): RefusedStatus => {
  const named: unknown = issue.code === 'custom' ? issue.params?.['status'] : undefined;
  return named === 400 || named === 422 ? named : 406;
};

const problemOf = (issue: z.core.$ZodIssue): string => {
  const parameter = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : String(part)))
    .join('.');
  const name = parameter.replaceAll('.[', '[') || 'the body';
  if (issue.code === 'custom') return `${name} ${issue.message}`;
  if (isMissing(issue)) return `${name} is missing`;
  if (issue.code === 'too_big' || issue.code === 'too_small' || issue.code === 'invalid_format') {
    return `${name} ${issue.message}`;
  }
  return `${name} is invalid`;
};

/** zod reports a missing key as a wrong type or value; the input that it saw tells the two apart. */
const isMissing = (issue: z.core.$ZodIssue): boolean =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_union' || issue.code === 'invalid_value') &&
  (issue.input === undefined || issue.input === null || issue.input === '');

/** Entries of a list that are read at once. */
const PART_LENGTH = 100;

/** A body with a part of one of its lists, and the position of that part in the list. */
type BodyPart = { readonly body: object; readonly list: string; readonly offset: number };

/**
 * Split a body into parts: each has the next hundred entries of one list, and at most the first hundred of every other,
 * so that the caller can stop before a long list is read completely. A body without a long list has no parts.
 */
function* partsOf(body: object): Generator<BodyPart> {
  const lists = Object.entries(body).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const isLong = ([, entries]: readonly [string, readonly unknown[]]) => entries.length > PART_LENGTH;
  const long = lists.filter(isLong);
  const short = Object.fromEntries(long.map(([list, entries]) => [list, entries.slice(0, PART_LENGTH)]));
  for (const [list, entries] of long)
    for (let offset = 0; offset < entries.length; offset += PART_LENGTH) {
      const part = entries.slice(offset, offset + PART_LENGTH);
      yield { body: { ...body, ...short, [list]: part }, list, offset };
    }
}
