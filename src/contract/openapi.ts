import * as z from 'zod';
import type { Json } from '../kernel/json.ts';
import { API_VERSIONS, OPERATIONS, type Operation } from './operations.ts';
import { RefusalBody, type RefusalStatus, STATUS_NAMES } from './refusal.ts';

type Schema = { readonly [key: string]: Json | undefined };

const API_VERSION_HEADER = {
  name: 'x-api-version',
  in: 'header',
  description: `Dated version of the interface: ${API_VERSIONS.join(', ')}. Others are ignored.`,
  schema: { type: 'string', format: 'date' },
};

const REFUSALS_OF_ALL: readonly RefusalStatus[] = [400, 401, 408, 429, 500, 503];

/** Further refusals of every operation with a body. */
const REFUSALS_OF_BODIES: readonly RefusalStatus[] = [413, 415];

const refusalsOf = ({ refusals, body }: Operation): readonly RefusalStatus[] => [
  ...refusals,
  ...(body ? REFUSALS_OF_BODIES : []),
  ...REFUSALS_OF_ALL,
];

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
    [operation.status]: {
      description: operation.status === 201 ? 'Created' : 'OK',
      content: json(schemaOf(nameOf(operation, 'answer'))),
    },
    ...Object.fromEntries(
      refusalsOf(operation).map((status) => [
        status,
        { description: STATUS_NAMES[status], content: json(schemaOf(REFUSAL)) },
      ]),
    ),
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
