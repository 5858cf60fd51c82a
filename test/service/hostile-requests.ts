import fc from 'fast-check';
import { ORDER } from '../contract/samples.ts';

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

/** A request of any kind: odd paths, odd bodies, odd types of them. */
export const hostileRequest = fc.record({
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
