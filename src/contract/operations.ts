import * as z from 'zod';
import type { Json } from '../kernel/json.ts';
import { LocationRateBody, RateQuery } from './location-rate.ts';
import { CreateCustomer, CustomerBody, CustomersBody, NexusRegionsBody, UpdateCustomer } from './on-file.ts';
import { RefusalBody } from './refusal.ts';
import { TaxRequest } from './tax-request.ts';
import { TaxBody } from './tax-result.ts';
import { CategoriesBody } from './tax-service.ts';
import {
  CreateOrder,
  CreateRefund,
  DeletedOrderBody,
  DeletedRefundBody,
  ListingQuery,
  OrderBody,
  OrdersBody,
  ProviderQuery,
  RefundBody,
  RefundsBody,
  UpdateOrder,
  UpdateRefund,
} from './transaction.ts';

/** One operation of the interface, as its document describes it. */
export type Operation = {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The path below the base address, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodObject;
  /** 200 when absent. */
  readonly status?: 201;
};

/** @param call the method and the path */
const operation = (
  id: string,
  call: `${Operation['method']} ${string}`,
  summary: string,
  bodies: Pick<Operation, 'query' | 'body' | 'answer' | 'status'>,
): Operation => {
  const [method, path] = call.split(' ') as [Operation['method'], string];
  return { id, method, path, summary, ...bodies };
};

/** The five operations of recorded orders or refunds. */
const recordOperations = (records: {
  readonly noun: 'order' | 'refund';
  /** What becomes of the signs of amounts. */
  readonly signs: string;
  readonly create: z.ZodType;
  readonly update: z.ZodType;
  readonly listing: z.ZodObject;
  readonly answer: z.ZodObject;
  readonly deleted: z.ZodObject;
}): readonly Operation[] => {
  const { noun, signs, create, update, listing, answer, deleted } = records;
  const name = noun === 'order' ? 'Order' : 'Refund';
  const all = `/transactions/${noun}s`;
  const one = `${all}/{transaction_id}`;
  const ofDays = `The ids of the ${noun}s of a day or a range of days, both ends included, in UTC.`;
  const changed = `Change a recorded ${noun}: what is not sent stays, line items are replaced.`;
  return [
    operation(`list${name}s`, `get ${all}`, ofDays, { query: ListingQuery, answer: listing }),
    operation(`show${name}`, `get ${one}`, `A recorded ${noun}.`, { query: ProviderQuery, answer }),
    operation(`create${name}`, `post ${all}`, signs, { body: create, answer, status: 201 }),
    operation(`update${name}`, `put ${one}`, changed, { body: update, answer }),
    operation(`delete${name}`, `delete ${one}`, `Delete a recorded ${noun}.`, {
      query: ProviderQuery,
      answer: deleted,
    }),
  ];
};

const ONE_CUSTOMER = '/customers/{customer_id}';
const CUSTOMER_CHANGED = 'Change a customer on file: what is not sent stays, exempt regions are replaced.';

/** All operations of the service. */
export const OPERATIONS: readonly Operation[] = [
  operation('listCategories', 'get /categories', 'The product tax categories.', { answer: CategoriesBody }),
  operation('calculateTax', 'post /taxes', 'The sales tax to collect on an order.', {
    body: TaxRequest,
    answer: TaxBody,
  }),
  operation('showRates', 'get /rates/{zip}', 'The full rates of a place, anyone who sells there.', {
    query: RateQuery,
    answer: LocationRateBody,
  }),
  operation('listNexusRegions', 'get /nexus/regions', 'The regions in which the account has nexus.', {
    answer: NexusRegionsBody,
  }),
  ...recordOperations({
    noun: 'order',
    signs: 'Record an order. Amounts are made positive.',
    create: CreateOrder,
    update: UpdateOrder,
    listing: OrdersBody,
    answer: OrderBody,
    deleted: DeletedOrderBody,
  }),
  ...recordOperations({
    noun: 'refund',
    signs: 'Record a refund. Amounts are made negative, discounts positive.',
    create: CreateRefund,
    update: UpdateRefund,
    listing: RefundsBody,
    answer: RefundBody,
    deleted: DeletedRefundBody,
  }),
  operation('listCustomers', 'get /customers', 'The ids of the customers on file.', {
    answer: CustomersBody,
  }),
  operation('showCustomer', `get ${ONE_CUSTOMER}`, 'A customer on file.', { answer: CustomerBody }),
  operation('createCustomer', 'post /customers', 'Put a customer and its exemption on file.', {
    body: CreateCustomer,
    answer: CustomerBody,
    status: 201,
  }),
  operation('updateCustomer', `put ${ONE_CUSTOMER}`, CUSTOMER_CHANGED, {
    body: UpdateCustomer,
    answer: CustomerBody,
  }),
  operation(
    'deleteCustomer',
    `delete ${ONE_CUSTOMER}`,
    'Delete a customer on file; the answer is the customer.',
    { answer: CustomerBody },
  ),
];

/** The dated versions of the interface that a request or an account may name, oldest first. */
export const API_VERSIONS = ['2012-01-01', '2020-08-07', '2022-01-24'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

type Schema = { readonly [key: string]: Json | undefined };

const API_VERSION_HEADER = {
  name: 'x-api-version',
  in: 'header',
  description: `Dated version of the interface: ${API_VERSIONS.join(', ')}. Others are ignored.`,
  schema: { type: 'string', format: 'date' },
};

/** Build the OpenAPI 3.1 document of the service from the schemas that the service itself validates with. */
export const openApiDocument = (): Schema => {
  const { schemaOf, components } = jsonSchemas();
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of OPERATIONS) {
    const path = paths[operation.path] ?? {};
    paths[operation.path] = { ...path, [operation.method]: documented(operation, schemaOf) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sales tax calculation and transaction reporting',
      version: '2',
      description: 'Money in requests may be a number or a numeric string. Unknown keys are ignored.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v2' }],
    security: [{ bearer: [] }, { token: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The header is written as: Token token="KEY"',
        },
      },
    },
  };
};

const documented = (operation: Operation, schemaOf: (name: string) => Schema): Schema => ({
  operationId: operation.id,
  summary: operation.summary,
  parameters: [
    ...pathParameters(operation.path),
    ...queryParameters(operation, schemaOf),
    API_VERSION_HEADER,
  ],
  ...(operation.body && {
    requestBody: { required: true, content: json(schemaOf(nameOf(operation, 'body'))) },
  }),
  responses: {
    [operation.status ?? 200]: {
      description: operation.status === 201 ? 'Created' : 'OK',
      content: json(schemaOf(nameOf(operation, 'answer'))),
    },
    default: { description: 'A refusal', content: json(schemaOf(REFUSAL)) },
  },
});

const json = (schema: Schema): Schema => ({ 'application/json': { schema } });

const pathParameters = (path: string): Schema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const queryParameters = (operation: Operation, schemaOf: (name: string) => Schema): Schema[] =>
  Object.keys(operation.query?.shape ?? {}).map((name) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(`${nameOf(operation, 'query')}.${name}`),
  }));

const REFUSAL = 'refusal';
const nameOf = (operation: Operation, part: 'query' | 'body' | 'answer'): string => `${operation.id}.${part}`;

/**
 * Export all schemas together, so that shared parts become one component. Only the wire side is exported: the other
 * side of a codec is a value of ours, which JSON Schema cannot describe.
 */
const jsonSchemas = () => {
  const named: Record<string, z.ZodType> = { [REFUSAL]: RefusalBody };
  for (const operation of OPERATIONS) {
    if (operation.body) named[nameOf(operation, 'body')] = operation.body;
    named[nameOf(operation, 'answer')] = operation.answer;
    for (const [name, schema] of Object.entries(operation.query?.shape ?? {})) {
      named[`${nameOf(operation, 'query')}.${name}`] = schema as z.ZodType;
    }
  }
  const exported = JSON.parse(
    JSON.stringify(z.toJSONSchema(z.object(named), { io: 'input' })).replaceAll(
      '"#/$defs/',
      '"#/components/schemas/',
    ),
  ) as { readonly properties: Record<string, Schema>; readonly $defs: Record<string, Schema> };
  return {
    schemaOf: (name: string): Schema => exported.properties[name] ?? {},
    components: exported.$defs,
  };
};
