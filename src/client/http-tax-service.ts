import type * as z from 'zod';
import { compiled } from '../contract/accept.ts';
import { NexusRegionsBody } from '../contract/on-file.ts';
import { isGone, RefusalBody, ServiceRefusal } from '../contract/refusal.ts';
import { TaxBody } from '../contract/tax-result.ts';
import { CategoriesBody, type TaxService } from '../contract/tax-service.ts';
import {
  DeletedOrderBody,
  DeletedRefundBody,
  type ListingQueryInput,
  type NewTransaction,
  OrderBody,
  OrdersBody,
  RefundBody,
  RefundsBody,
  type TransactionName,
} from '../contract/transaction.ts';
import { wireSent } from '../contract/wire.ts';
import { TieoutError } from '../kernel/errors.ts';
import { inParallel } from '../runtime/batches.ts';
import { callName, type HttpCall, type HttpReply, type Transport } from './transport.ts';

type Query = Readonly<Record<string, unknown>>;

/**
 * The tax service over a network, through a transport that already retries and paces. A list becomes one call
 * per item, `callsAtOnce` at a time; after an outage no further call is started.
 *
 * @throws {ServiceRefusal} for what the service refuses, {TieoutError} E_SERVICE_KEY when it does not know the key,
 * E_SERVICE_FORBIDDEN when the account may not make the call, E_SERVICE_ANSWER when the answer does not match the
 * interface
 */
export const httpTaxService = (send: Transport, callsAtOnce: number): TaxService => {
  const call = async <Schema extends z.ZodType>(
    schema: Schema,
    given: HttpCall,
  ): Promise<z.output<Schema>> => {
    const reply = await send(given);
    if (reply.status >= 300) throw refusalOf(given, reply);
    const result = compiled(schema).safeParse(jsonOf(reply.text));
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    throw notOfTheInterface(
      given,
      reply,
      issue ? `${issue.path.join('.') || 'the body'}: ${issue.message}` : 'no JSON',
    );
  };
  const get = <Schema extends z.ZodType>(schema: Schema, path: string, query?: Query) =>
    call(schema, { method: 'GET', path: `${path}${queryText(query)}` });
  const listed = <Schema extends z.ZodType>(schema: Schema, path: string, query: ListingQueryInput) =>
    call(schema, {
      method: 'GET',
      path: `${path}${queryText(query)}`,
      isDivisible: query.from_transaction_date !== query.to_transaction_date,
    });
  const sent = <Schema extends z.ZodType>(
    schema: Schema,
    method: 'POST' | 'PUT',
    path: string,
    body: object,
  ) => call(schema, { method, path, body: JSON.stringify(body) });
  const deleted = <Schema extends z.ZodType>(schema: Schema, path: string, query?: Query) =>
    call(schema, { method: 'DELETE', path: `${path}${queryText(query)}` });
  const one = (kind: 'orders' | 'refunds', id: string) => `transactions/${kind}/${encodeURIComponent(id)}`;

  const create = async ({ kind, transaction }: NewTransaction) => {
    const body = wireSent(transaction);
    return kind === 'order'
      ? (await sent(OrderBody, 'POST', 'transactions/orders', body)).order
      : (await sent(RefundBody, 'POST', 'transactions/refunds', body)).refund;
  };
  const show = async ({ kind, id, provider }: TransactionName) =>
    kind === 'order'
      ? (await get(OrderBody, one('orders', id), { provider })).order
      : (await get(RefundBody, one('refunds', id), { provider })).refund;

  return {
    calculateTax: async (body) => (await sent(TaxBody, 'POST', 'taxes', body)).tax,
    categories: async () => (await get(CategoriesBody, 'categories')).categories,
    nexusRegions: async () => (await get(NexusRegionsBody, 'nexus/regions')).regions,
    createMany: (transactions) =>
      inParallel(transactions, callsAtOnce, (transaction) =>
        create(transaction).catch((error: unknown) => {
          if (error instanceof ServiceRefusal) return error;
          throw error;
        }),
      ),
    showMany: (names) =>
      inParallel(names, callsAtOnce, (name) =>
        show(name).catch((error: unknown) => {
          if (isGone(error)) return undefined;
          throw error;
        }),
      ),
    listOrders: async (query) => (await listed(OrdersBody, 'transactions/orders', query)).orders,
    updateOrder: async (id, changes) =>
      (await sent(OrderBody, 'PUT', one('orders', id), { ...wireSent(changes), transaction_id: id })).order,
    deleteOrder: async (id, query) => (await deleted(DeletedOrderBody, one('orders', id), query)).order,
    deleteRefund: async (id, query) => (await deleted(DeletedRefundBody, one('refunds', id), query)).refund,
    listRefunds: async (query) => (await listed(RefundsBody, 'transactions/refunds', query)).refunds,
  };
};

const queryText = (query: Query | undefined): string => {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const UNKNOWN_KEY = 401;
const FORBIDDEN = 403;

const refusalOf = (call: HttpCall, reply: HttpReply): Error => {
  const body = RefusalBody.safeParse(jsonOf(reply.text));
  const detail = body.success ? body.data.detail : undefined;
  const said = `${reply.status} ${[detail ?? ''].flat().join('; ')}`.trim();
  if (reply.status === UNKNOWN_KEY)
    return new TieoutError({
      code: 'E_SERVICE_KEY',
      message: `the tax service does not let the key in: ${said}`,
      nextStep:
        'Check the environment variable that holds the key (TIEOUT_SERVICE_KEY, if no other one is named), and that the key has not been revoked',
    });
  if (reply.status === FORBIDDEN)
    return new TieoutError({
      code: 'E_SERVICE_FORBIDDEN',
      message: `the tax service knows the key and forbids ${callName(call)}: ${said}`,
      nextStep:
        'Ask anyone who runs the service what the account may do and whether its plan is used up, and run the same command again: what was answered is kept',
    });
  if (detail === undefined)
    return notOfTheInterface(call, reply, 'a refusal without status, error and detail');
  return new ServiceRefusal(reply.status, detail, body.success ? body.data.error : undefined);
};

const notOfTheInterface = (call: HttpCall, reply: HttpReply, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_ANSWER',
    message: `the tax service answered ${callName(call)} with ${reply.status} and something that is not of the interface (${problem})`,
    nextStep: 'Check that `service.url` is the base address of the service, and try again later',
  });
