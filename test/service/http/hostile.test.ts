import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATUS_NAMES } from '../../../src/contract/refusal.ts';
import { ORDER, SANTA_MONICA } from '../../contract/samples.ts';
import { onEveryDatabase } from '../../support/databases.ts';
import { serverForSuite } from './server-suite.ts';

/** `npm run fuzz:service` asks for many more. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 750);
const PATIENCE_MS = 60_000 + RUNS * 50;

const PATHS = [
  'categories',
  'taxes',
  'nexus/regions',
  'transactions/orders',
  'transactions/refunds',
  'transactions/orders/order-1',
  'transactions/refunds/refund-1',
  'customers',
  'customers/c-1',
  'rates/90404',
  'rates/90404?city=%00&street=%F0%9F%92%A9',
  'summary_rates',
];

const TRICKS = [
  "';drop%20table%20transactions;--",
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%0d%0aSet-Cookie:%20a=b',
  '__proto__',
  'constructor',
  '%F0%9F%92%A9',
  'a'.repeat(300),
];

const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(
    null,
    '',
    '1e400',
    '-0',
    'NaN',
    'Infinity',
    '\u0000',
    '\ud800',
    '99999999999999999999',
    {},
    [],
  ),
);

/** A body that is nearly an order or a calculation, with anything at all in some of its fields. */
const nearlyAnOrder = fc
  .record({
    changes: fc.dictionary(fc.constantFrom(...Object.keys(ORDER)), scalar),
    lines: fc.array(fc.object()),
  })
  .map(({ changes, lines }) => ({ ...ORDER, ...(lines.length > 0 && { line_items: lines }), ...changes }));

const body = fc.oneof(
  nearlyAnOrder.map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', '{', '[', '"', '{"__proto__": {"amount": 1}}', '['.repeat(50_000)),
);

const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'),
  path: fc.oneof(
    fc.constantFrom(...PATHS),
    fc.constantFrom(...TRICKS).map((trick) => `transactions/orders/${trick}`),
    fc.constantFrom(...TRICKS).map((trick) => `customers/${trick}`),
    fc.constantFrom(...TRICKS).map((trick) => `rates/${trick}?country=${trick}&state=${trick}&city=${trick}`),
    fc
      .constantFrom(...TRICKS)
      .map((trick) => `transactions/orders?provider=${trick}&transaction_date=${trick}`),
    fc.webPath({ size: 'medium' }).map((path) => `/${path}`),
  ),
  contentType: fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'application/vnd.api+json',
    'text/plain',
    'multipart/form-data; boundary=x',
    'nonsense',
    '',
  ),
  body: fc.option(body, { nil: undefined }),
});

describe('hostile requests', () =>
  onEveryDatabase((databases) => {
    const suite = serverForSuite(databases);

    it(
      'of any kind get a proper answer: never a 500, never a stack trace',
      async () => {
        const { secret: key } = await suite.newAccount(SANTA_MONICA);
        await fc.assert(
          fc.asyncProperty(request, async ({ method, path, contentType, body: text }) => {
            const answer = await suite.ask(path, {
              method,
              key,
              headers: { 'content-type': contentType },
              ...(text !== undefined && { text }),
            });
            expect(answer.status).not.toBe(500);
            expect(answer.text).not.toMatch(/node_modules|at .+\.ts:\d|SQLITE/);
            if (answer.status < 400 || method === 'HEAD') return;
            expect(answer.json).toEqual({
              status: answer.status,
              error: STATUS_NAMES[answer.status as keyof typeof STATUS_NAMES],
              detail: expect.anything(),
            });
          }),
          { numRuns: RUNS },
        );
        expect((await suite.ask('categories', { key })).status).toBe(200);
      },
      PATIENCE_MS,
    );

    it.each([
      ['nonsense', 'NONSENSE\r\n\r\n'],
      ['a header that is folded', 'GET /v2/categories HTTP/1.1\r\nHost: x\r\nA: b\r\n c: d\r\n\r\n'],
      [
        'two lengths',
        'POST /v2/taxes HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      ],
      ['huge headers', `GET /v2/categories HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`],
    ])('that are not HTTP are refused in the form of the interface: %s', async (_, sent) => {
      const { hostname, port } = new URL(suite.url());
      const socket = connectSocket({ host: hostname, port: Number(port) });
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.write(sent);
      await once(socket, 'close');
      const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request/);
      expect(JSON.parse(text)).toEqual({
        status: 400,
        error: 'Bad Request',
        detail: 'the request is not valid HTTP',
      });
    });
  }));
