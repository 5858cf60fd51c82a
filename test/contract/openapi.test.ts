import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/contract/operations.ts';

type Node = { readonly [key: string]: Node | readonly Node[] | string | boolean | number | null };
type Documented = {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: Node;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content: Node;
      }
    >
  >;
};

const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Node>> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every operation of the interface, and those that public documentation has beside it. */
const INTERFACE = `
  get /categories, post /taxes, get /rates/{zip}, get /nexus/regions,
  get /transactions/orders, get /transactions/orders/{transaction_id}, post /transactions/orders,
  put /transactions/orders/{transaction_id}, delete /transactions/orders/{transaction_id},
  get /transactions/refunds, get /transactions/refunds/{transaction_id}, post /transactions/refunds,
  put /transactions/refunds/{transaction_id}, delete /transactions/refunds/{transaction_id},
  get /customers, get /customers/{customer_id}, post /customers,
  put /customers/{customer_id}, delete /customers/{customer_id}`;

const refsIn = (node: unknown): string[] => {
  if (Array.isArray(node)) return node.flatMap(refsIn);
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : refsIn(value),
  );
};

describe('the OpenAPI document', () => {
  it('has every operation of the interface and no other', () => {
    const found = operations.map(({ path, method }) => `${method} ${path}`);
    expect(found.sort()).toEqual(
      INTERFACE.split(',')
        .map((call) => call.trim())
        .sort(),
    );
  });

  it('refers only to what is in it', () => {
    const refs = refsIn(document);
    expect(refs.length).toBeGreaterThan(40);
    for (const ref of refs) {
      expect(ref).toMatch(/^#\/components\/schemas\//);
      expect(document.components.schemas).toHaveProperty(ref.slice('#/components/schemas/'.length));
    }
  });

  it.each(operations)('describes $method $path in full', ({ path, method, operation }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(declared.map(({ name }) => name)).toEqual(inPath);
    expect(declared.every(({ required }) => required === true)).toBe(true);
    expect(operation.requestBody !== undefined).toBe(method === 'post' || method === 'put');
    const success = method === 'post' && path !== '/taxes' ? '201' : '200';
    expect(Object.keys(operation.responses)).toEqual([success, 'default']);
    for (const { description, content } of Object.values(operation.responses)) {
      expect(description).not.toBe('');
      expect(content).toHaveProperty(['application/json', 'schema']);
    }
  });

  it('says which parameters a calculation needs', () => {
    expect(document.components.schemas['TaxRequest']?.['required']).toEqual(['to_country', 'shipping']);
  });

  it('says which parameters an order needs', () => {
    expect(document.components.schemas['CreateOrder']?.['required']).toHaveLength(8);
  });

  it('offers the filters of the listings', () => {
    const listing = operations.find(({ operation }) => operation.operationId === 'listRefunds');
    const filters = listing?.operation.parameters.filter((parameter) => parameter.in === 'query');
    expect(filters?.map(({ name }) => name)).toEqual([
      'transaction_date',
      'from_transaction_date',
      'to_transaction_date',
      'provider',
    ]);
  });
});
