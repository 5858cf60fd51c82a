import * as z from 'zod';
import { ServiceRefusal } from './refusal.ts';
import { checkOf, ENTRIES_MAX } from './scalars.ts';
import {
  CreateTransaction,
  type NewTransaction,
  type TransactionKind,
  UpdateTransaction,
} from './transaction.ts';
import { wireSent } from './wire.ts';

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
 * other are a 400. Of several problems the highest status is answered.
 *
 * @throws {ServiceRefusal} 400, 406, 422
 */
export const accept = <Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> => {
  const body = input ?? {};
  refuseLongLists(body);
  const result = compiled(schema).safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  throw refusalOf(new Map(result.error.issues.map((issue) => [problemOf(issue), statusOf(issue)])));
};

/** Maximum number of problems that one refusal names. */
const PROBLEMS_MAX = 100;

const refusalOf = (problems: ReadonlyMap<string, RefusedStatus>): ServiceRefusal => {
  const named = [...problems.keys()].slice(0, PROBLEMS_MAX);
  return new ServiceRefusal(Math.max(...problems.values()), named.length === 1 ? String(named[0]) : named);
};

/** @throws {ServiceRefusal} 406 */
const refuseLongLists = (body: object): void => {
  for (const name in body) {
    const value: unknown = body[name as keyof typeof body];
    if (Array.isArray(value) && value.length > ENTRIES_MAX)
      throw new ServiceRefusal(406, `${name} must have at most ${ENTRIES_MAX} entries`);
  }
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
  if (isMissing(issue)) return `${name} is missing`;
  return `${name} ${SAID.has(issue.code) ? issue.message : 'is invalid'}`;
};

/** Codes of problems whose messages are ours. */
const SAID: ReadonlySet<unknown> = new Set(['custom', 'too_big', 'too_small', 'invalid_format']);

/** zod reports a missing key as a wrong type or value; the input that it saw tells the two apart. */
const isMissing = ({ code, input }: z.core.$ZodIssue): boolean =>
  MISFITS.has(code) && (input === undefined || input === null || input === '');

const MISFITS: ReadonlySet<unknown> = new Set(['invalid_type', 'invalid_union', 'invalid_value']);

/** Read the body of a new transaction. Only a refund refers to another transaction. @throws {ServiceRefusal} 406, 422 */
export const readTransaction = (kind: TransactionKind, body: unknown): CreateTransaction =>
  accept(CreateTransaction, partsOf(kind, body));

/** Read the body of changes of a transaction. @throws {ServiceRefusal} 406, 422 */
export const readChanges = (kind: TransactionKind, body: unknown): UpdateTransaction =>
  accept(UpdateTransaction, partsOf(kind, body));

/** What an order says of another transaction is not looked at. */
const partsOf = (kind: TransactionKind, body: unknown): unknown =>
  kind === 'order' && typeof body === 'object' && body !== null && 'transaction_reference_id' in body
    ? { ...body, transaction_reference_id: undefined }
    : body;

const isDecoded = checkOf(CreateTransaction);

/**
 * Accept a decoded transaction as the schema of the interface would accept its wire form: texts trimmed, codes in
 * capitals. Nearly all have that form already, and checking it is ten times as fast as writing and reading. The schema
 * reads the others.
 *
 * @throws {ServiceRefusal} 406, 422, as for the same transaction on the wire
 */
export const acceptTransaction = ({ kind, transaction }: NewTransaction): CreateTransaction => {
  const isOfKind = kind === 'refund' || transaction.transaction_reference_id === undefined;
  return isOfKind && isDecoded(transaction) ? transaction : readTransaction(kind, wireSent(transaction));
};
