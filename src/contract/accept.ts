import * as z from 'zod';
import { isWritable, parseDate } from '../kernel/calendar.ts';
import type { Price } from '../kernel/money.ts';
import { ServiceRefusal } from './refusal.ts';
import { amountOf, ENTRIES_MAX, ExemptionType, isKeepable, TRANSACTION_ID } from './scalars.ts';
import { isQuantity, type TaxLineItem, TaxRequest } from './tax-request.ts';
import {
  CODE_MAX,
  CreateOrder,
  CreateRefund,
  DESCRIPTION_READ_MAX,
  type NewTransaction,
  TEXT_MAX,
  type TransactionKind,
  UpdateOrder,
  UpdateRefund,
  ZIP_MAX,
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

/**
 * Read the body of a calculation as its schema does. In nearly all bodies, texts have no surrounding blanks and absent
 * values are absent keys; reading those by hand is several times as fast. The schema reads the others.
 *
 * @throws {ServiceRefusal} 400, 406, 422
 */
export const acceptRequest = (input: unknown): TaxRequest =>
  (isFields(input) ? plainRequest(input) : undefined) ?? accept(TaxRequest, input);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Read a plain body; `undefined` when the schema has to read it. */
const plainRequest = (sent: Fields): TaxRequest | undefined => {
  for (const name in sent) if (name !== 'line_items' && Array.isArray(sent[name])) return undefined;
  const { from_country, from_zip, from_state, from_city, from_street, customer_id } = sent;
  const { to_country, to_zip, to_state, to_city, to_street, exemption_type: type, explain } = sent;
  if (sent['nexus_addresses'] !== undefined) return undefined;
  const shipping = amountOf(sent['shipping']);
  const amount = amountOf(sent['amount']);
  const lines = sent['line_items'] === undefined ? undefined : plainLines(sent['line_items']);
  const date = typeof sent['calculation_date'] === 'string' ? parseDate(sent['calculation_date']) : undefined;
  if (
    !isCountrySent(to_country) ||
    !(from_country === undefined || isCountrySent(from_country)) ||
    !(isPlainText(from_zip, ZIP_MAX) && isPlainText(from_state, CODE_MAX)) ||
    !(isPlainText(from_city, TEXT_MAX) && isPlainText(from_street, TEXT_MAX)) ||
    !(isPlainText(to_zip, ZIP_MAX) && isPlainText(to_state, CODE_MAX)) ||
    !(isPlainText(to_city, TEXT_MAX) && isPlainText(to_street, TEXT_MAX)) ||
    !isPlainText(customer_id, TEXT_MAX) ||
    !(type === undefined || isExemptionType(type)) ||
    !(explain === undefined || typeof explain === 'boolean') ||
    shipping === undefined ||
    (amount === undefined ? sent['amount'] !== undefined || !lines?.length : false) ||
    (lines === undefined && sent['line_items'] !== undefined) ||
    (date === undefined && sent['calculation_date'] !== undefined)
  )
    return undefined;
  const country = to_country.toUpperCase();
  if ((country === 'US' && !to_zip) || ((country === 'US' || country === 'CA') && !to_state))
    return undefined;
  return {
    from_country: from_country?.toUpperCase(),
    from_zip: from_zip || undefined,
    from_state: from_state?.toUpperCase() || undefined,
    from_city: from_city || undefined,
    from_street: from_street || undefined,
    to_country: country,
    to_zip: to_zip || undefined,
    to_state: to_state?.toUpperCase() || undefined,
    to_city: to_city || undefined,
    to_street: to_street || undefined,
    amount,
    shipping,
    customer_id: customer_id || undefined,
    exemption_type: type,
    nexus_addresses: undefined,
    line_items: lines,
    calculation_date: date,
    explain,
  };
};

const plainLines = (sent: unknown): TaxLineItem[] | undefined => {
  if (!Array.isArray(sent) || sent.length > ENTRIES_MAX) return undefined;
  const lines: TaxLineItem[] = [];
  for (const line of sent) {
    const plain = isFields(line) ? plainLine(line) : undefined;
    if (plain === undefined) return undefined;
    lines.push(plain);
  }
  return lines;
};

const plainLine = (sent: Fields): TaxLineItem | undefined => {
  const { id, quantity = 1, product_tax_code: code, unit_price, discount } = sent;
  const [price, less] = [amountOf(unit_price), amountOf(discount)];
  const isPlain =
    isPlainText(id, TEXT_MAX) &&
    typeof quantity === 'number' &&
    isQuantity(quantity) &&
    isPlainText(code, CODE_MAX) &&
    (price !== undefined || unit_price === undefined) &&
    (less !== undefined || discount === undefined);
  if (!isPlain) return undefined;
  return {
    id: id || undefined,
    quantity,
    product_tax_code: code || undefined,
    unit_price: price,
    discount: less,
  };
};

const isPlainText = (value: unknown, lengthMax: number): value is string | undefined =>
  value === undefined ||
  (typeof value === 'string' && value.length <= lengthMax && value === value.trim() && isKeepable(value));

const COUNTRY_SENT = /^[A-Za-z]{2}$/;

const isCountrySent = (value: unknown): value is string =>
  typeof value === 'string' && COUNTRY_SENT.test(value);

const isExemptionType = (value: unknown): value is ExemptionType =>
  (ExemptionType.options as readonly unknown[]).includes(value);

const SCHEMAS = {
  order: { create: CreateOrder, update: UpdateOrder },
  refund: { create: CreateRefund, update: UpdateRefund },
} as const;

/**
 * Accept a decoded transaction as the schema of the interface would accept its wire form: texts trimmed, codes in
 * capitals. Nearly all have that form already, and checking it is ten times as fast as writing and reading. The schema
 * reads the others.
 *
 * @throws {ServiceRefusal} 406, 422, as for the same transaction on the wire
 */
export const acceptTransaction = ({ kind, transaction }: NewTransaction): CreateRefund =>
  hasAll(transaction) && isAsRead(kind, transaction)
    ? transaction
    : accept(SCHEMAS[kind].create, wireSent(transaction));

/** Accept decoded changes of a transaction in the same way. @throws {ServiceRefusal} 406, 422 */
export const acceptChanges = (kind: TransactionKind, changes: UpdateRefund): UpdateRefund =>
  isAsRead(kind, changes) ? changes : accept(SCHEMAS[kind].update, wireSent(changes));

const hasAll = (sent: UpdateRefund & { readonly transaction_id: string }): boolean =>
  sent.transaction_id.length <= TEXT_MAX &&
  TRANSACTION_ID.test(sent.transaction_id) &&
  sent.transaction_date !== undefined &&
  sent.to_country !== undefined &&
  sent.to_zip !== undefined &&
  sent.to_state !== undefined &&
  sent.amount !== undefined &&
  sent.shipping !== undefined &&
  sent.sales_tax !== undefined;

/** Whether writing these fields and reading them back gives the same fields. */
const isAsRead = (kind: TransactionKind, sent: UpdateRefund): boolean =>
  (sent.transaction_date === undefined || isWritable(sent.transaction_date)) &&
  (kind === 'order'
    ? sent.transaction_reference_id === undefined
    : isText(sent.transaction_reference_id, TEXT_MAX)) &&
  isText(sent.provider, CODE_MAX) &&
  sent.provider === sent.provider?.toLowerCase() &&
  isCountry(sent.from_country) &&
  isText(sent.from_zip, ZIP_MAX) &&
  isState(sent.from_state) &&
  isText(sent.from_city, TEXT_MAX) &&
  isText(sent.from_street, TEXT_MAX) &&
  isCountry(sent.to_country) &&
  isText(sent.to_zip, ZIP_MAX) &&
  isState(sent.to_state) &&
  isText(sent.to_city, TEXT_MAX) &&
  isText(sent.to_street, TEXT_MAX) &&
  isAmount(sent.amount) &&
  isAmount(sent.shipping) &&
  isAmount(sent.sales_tax) &&
  isText(sent.customer_id, TEXT_MAX) &&
  (sent.exemption_type === undefined || ExemptionType.options.includes(sent.exemption_type)) &&
  (sent.line_items === undefined ||
    (sent.line_items.length <= ENTRIES_MAX && sent.line_items.every(isLineAsRead)));

type Line = NonNullable<UpdateRefund['line_items']>[number];

const isLineAsRead = (line: Line): boolean =>
  isText(line.id, TEXT_MAX) &&
  (line.quantity === undefined || isQuantity(line.quantity)) &&
  isText(line.product_identifier, TEXT_MAX) &&
  isText(line.description, DESCRIPTION_READ_MAX) &&
  isText(line.product_tax_code, CODE_MAX) &&
  isAmount(line.unit_price) &&
  isAmount(line.discount) &&
  isAmount(line.sales_tax);

const isText = (text: string | undefined, lengthMax: number): boolean =>
  text === undefined || (text !== '' && text.length <= lengthMax && text === text.trim() && isKeepable(text));

const COUNTRY = /^[A-Z]{2}$/;

const isCountry = (text: string | undefined): boolean => text === undefined || COUNTRY.test(text);

const isState = (text: string | undefined): boolean => isText(text, CODE_MAX) && text === text?.toUpperCase();

const isAmount = (amount: Price | undefined): boolean => amount === undefined || Number.isSafeInteger(amount);
