import { Agent, request } from 'node:http';
import type * as z from 'zod';
import { CategoriesBody } from '../../src/contract/category.ts';
import { NexusRegionsBody } from '../../src/contract/nexus.ts';
import { RefusalBody, ServiceRefusal } from '../../src/contract/refusal.ts';
import { TaxBody } from '../../src/contract/tax-result.ts';
import type { TaxService } from '../../src/contract/tax-service.ts';
import {
  DeletedOrderBody,
  OrderBody,
  OrdersBody,
  RefundBody,
  RefundsBody,
} from '../../src/contract/transaction.ts';

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
};

/** Send one request exactly as it is given. */
export const send = (
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer | undefined;
    readonly agent?: Agent;
    /** Sent exactly as it is, in place of the path of the address. */
    readonly path?: string;
  } = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { body, headers, ...rest } = options;
    const length = body === undefined ? undefined : String(Buffer.byteLength(body));
    const described = { ...(length !== undefined && { 'content-length': length }), ...headers };
    const sent = request(url, { ...rest, headers: described }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

type Query = Readonly<Record<string, unknown>>;

/** The plainest client of the interface: it decodes by the contract and knows no retry. */
export const httpTaxService = (options: {
  readonly url: string;
  readonly key: string;
  readonly apiVersion?: string | undefined;
}): TaxService & { readonly close: () => void } => {
  const agent = new Agent({ keepAlive: true });
  const call = async <Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    input: { readonly query?: Query | undefined; readonly body?: object } = {},
  ): Promise<z.output<Schema>> => {
    const { status, text } = await send(`${options.url}${path}${queryText(input.query)}`, {
      agent,
      method,
      headers: {
        authorization: `Bearer ${options.key}`,
        ...(options.apiVersion !== undefined && { 'x-api-version': options.apiVersion }),
        ...(input.body && { 'content-type': 'application/json' }),
      },
      body: input.body && JSON.stringify(input.body),
    });
    const body: unknown = JSON.parse(text);
    if (status < 300) return schema.parse(body);
    const { detail, error } = RefusalBody.parse(body);
    throw new ServiceRefusal(status, detail, error);
  };
  const one = (kind: string, id: string) => `transactions/${kind}/${encodeURIComponent(id)}`;

  return {
    close: () => agent.destroy(),
    calculateTax: async (body) => (await call(TaxBody, 'POST', 'taxes', { body })).tax,
    categories: async () => (await call(CategoriesBody, 'GET', 'categories')).categories,
    nexusRegions: async () => (await call(NexusRegionsBody, 'GET', 'nexus/regions')).regions,
    listOrders: async (query) => (await call(OrdersBody, 'GET', 'transactions/orders', { query })).orders,
    showOrder: async (id, query) => (await call(OrderBody, 'GET', one('orders', id), { query })).order,
    createOrder: async (body) => (await call(OrderBody, 'POST', 'transactions/orders', { body })).order,
    updateOrder: async (id, body) => (await call(OrderBody, 'PUT', one('orders', id), { body })).order,
    deleteOrder: async (id, query) =>
      (await call(DeletedOrderBody, 'DELETE', one('orders', id), { query })).order,
    listRefunds: async (query) => (await call(RefundsBody, 'GET', 'transactions/refunds', { query })).refunds,
    showRefund: async (id, query) => (await call(RefundBody, 'GET', one('refunds', id), { query })).refund,
    createRefund: async (body) => (await call(RefundBody, 'POST', 'transactions/refunds', { body })).refund,
  };
};

const queryText = (query: Query | undefined): string => {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
};
