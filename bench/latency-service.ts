import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EVEN_STATES, type EvenState, evenRate, evenTax } from './even-tax.ts';

/**
 * `node bench/latency-service.ts <milliseconds>`: the interface, as cheap as it can be, every answer after the same
 * time. It keeps what is created and charges the rate of the state on every line. `/stats` says what was asked.
 */
const latencyMs = Number(process.argv[2] ?? 50);

type Sent = {
  readonly transaction_id: string;
  readonly transaction_date: string;
  readonly line_items: readonly object[];
};
type Calculation = {
  readonly shipping: string;
  readonly to_state: EvenState;
  readonly line_items: readonly { readonly id: string; readonly unit_price: string }[];
};

const records = new Map<string, string>();
const days = new Map<string, string[]>();
const counts = { taxes: 0, created: 0, shown: 0, listed: 0, inFlightMax: 0, inFlightMs: 0 };
let inFlight = 0;
let changedMs = performance.now();

/** Count a call in or out, and how many were in flight for how long. */
const count = (change: 1 | -1): void => {
  const nowMs = performance.now();
  counts.inFlightMs += inFlight * (nowMs - changedMs);
  changedMs = nowMs;
  inFlight += change;
  counts.inFlightMax = Math.max(counts.inFlightMax, inFlight);
};

const REGIONS = EVEN_STATES.map((region_code) => ({
  country_code: 'US',
  country: 'United States',
  region_code,
  region: region_code,
}));

const NOTHING_LOCAL = {
  county_taxable_amount: 0,
  county_tax_rate: 0,
  city_taxable_amount: 0,
  city_tax_rate: 0,
  special_tax_rate: 0,
};
const NOTHING_LOCAL_OF_ALL = {
  ...NOTHING_LOCAL,
  county_tax_collectable: 0,
  city_tax_collectable: 0,
  special_district_taxable_amount: 0,
  special_district_tax_collectable: 0,
};
const NOTHING_LOCAL_OF_LINE = {
  ...NOTHING_LOCAL,
  county_amount: 0,
  city_amount: 0,
  special_district_taxable_amount: 0,
  special_district_amount: 0,
};

/** Each line bears what the tax grows by with it, so that the lines add up to the tax of all. */
const calculation = (body: string): object => {
  counts.taxes += 1;
  const { shipping, to_state, line_items } = JSON.parse(body) as Calculation;
  const rate = evenRate(to_state);
  let [cents, tax] = [0, 0];
  const lines = line_items.map(({ id, unit_price }) => {
    const own = Math.round(Number(unit_price) * 100);
    cents += own;
    const grown = evenTax(to_state, cents) - tax;
    tax += grown;
    return {
      id,
      taxable_amount: own / 100,
      tax_collectable: grown / 100,
      combined_tax_rate: rate,
      state_taxable_amount: own / 100,
      state_sales_tax_rate: rate,
      state_amount: grown / 100,
      ...NOTHING_LOCAL_OF_LINE,
    };
  });
  return {
    tax: {
      order_total_amount: (cents + Math.round(Number(shipping) * 100)) / 100,
      shipping: Number(shipping),
      taxable_amount: cents / 100,
      amount_to_collect: tax / 100,
      rate,
      has_nexus: true,
      freight_taxable: false,
      tax_source: 'destination',
      jurisdictions: { country: 'US', state: to_state },
      breakdown: {
        taxable_amount: cents / 100,
        tax_collectable: tax / 100,
        combined_tax_rate: rate,
        state_taxable_amount: cents / 100,
        state_tax_rate: rate,
        state_tax_collectable: tax / 100,
        ...NOTHING_LOCAL_OF_ALL,
        line_items: lines,
      },
    },
  };
};

/** The source of every record of the month that this service is for. */
const CHANNEL = 'shopify';

const NULLS = { transaction_reference_id: null, exemption_type: null, customer_id: null, user_id: 1 };

const create = (body: string): object => {
  counts.created += 1;
  const sent = JSON.parse(body) as Sent;
  const line_items = sent.line_items.map((line) => ({ product_tax_code: null, ...line }));
  const record = { ...NULLS, ...sent, line_items };
  records.set(sent.transaction_id, JSON.stringify({ order: record }));
  const day = sent.transaction_date.slice(0, 10);
  const ids = days.get(day);
  if (ids) ids.push(sent.transaction_id);
  else days.set(day, [sent.transaction_id]);
  return { order: record };
};

const list = (query: URLSearchParams): object => {
  counts.listed += 1;
  const from = query.get('from_transaction_date') ?? query.get('transaction_date') ?? '';
  const to = query.get('to_transaction_date') ?? from;
  if (query.get('provider') !== CHANNEL) return { orders: [] };
  return { orders: [...days].filter(([day]) => from <= day && day <= to).flatMap(([, ids]) => ids) };
};

const textFor = ({ method, url = '/' }: IncomingMessage, body: string): string => {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const path = pathname.slice('/v2/'.length);
  if (path === 'taxes') return JSON.stringify(calculation(body));
  if (path === 'nexus/regions') return JSON.stringify({ regions: REGIONS });
  if (path === 'transactions/refunds') return JSON.stringify({ refunds: [] });
  if (path === 'transactions/orders')
    return JSON.stringify(method === 'POST' ? create(body) : list(searchParams));
  counts.shown += 1;
  return records.get(path.slice('transactions/orders/'.length)) ?? '{}';
};

const answer = (request: IncomingMessage, response: ServerResponse, body: string): void => {
  const text = textFor(request, body);
  setTimeout(() => {
    count(-1);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  }, latencyMs);
};

const server = createServer((request, response) => {
  if (request.url === '/v2/stats') return void response.end(JSON.stringify(counts));
  count(1);
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => answer(request, response, Buffer.concat(pieces).toString()));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}/v2/\n`);
});
