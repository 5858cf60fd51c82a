import { accept } from '../src/contract/accept.ts';
import { TaxRequest } from '../src/contract/tax-request.ts';
import { calendarDate } from '../src/kernel/calendar.ts';
import { loadContent } from '../src/service/content/load-content.ts';
import { calculateTax } from '../src/service/engine/calculate-tax.ts';

/**
 * `npm run bench:engine`: calculations per second on one core, three lines each with a full breakdown, mixed
 * destinations and categories; and what the default content costs to load and to keep.
 */
const CALCULATIONS = 400_000;
const WARM_UP = 50_000;
const AS_OF = calendarDate('2026-10-31');
const MB = 1024 * 1024;

const DESTINATIONS = [
  ['CA', '94607', 'Oakland'],
  ['CA', '90002', 'Los Angeles'],
  ['NY', '10541', 'Mahopac'],
  ['NY', '11201', 'Brooklyn'],
  ['TX', '78701', 'Austin'],
  ['FL', '32801', 'Orlando'],
  ['WA', '98101', 'Seattle'],
  ['GA', '30344', 'East Point'],
  ['MN', '55802', 'Duluth'],
  ['TN', '37402', 'Chattanooga'],
  ['MA', '01608', 'Worcester'],
  ['IL', '60601', 'Chicago'],
  ['NC', '27601', 'Raleigh'],
  ['OH', '43604', 'Toledo'],
  ['CO', '80202', 'Denver'],
  ['PA', '15222', 'Pittsburgh'],
] as const;
const CODES = [undefined, '20010', '40030', '51020', '31000', '30070', undefined, '99999'] as const;

const global_ = globalThis as { gc?: () => void };
global_.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
const loadStart = performance.now();
const content = loadContent();
const loadMs = performance.now() - loadStart;
global_.gc?.();
const heapMb = (process.memoryUsage().heapUsed - heapBefore) / MB;

const requests = DESTINATIONS.flatMap(([state, zip, city], place) =>
  CODES.map((code, index) =>
    accept(TaxRequest, {
      from_country: 'US',
      from_zip: '97204',
      from_state: 'OR',
      from_city: 'Portland',
      to_country: 'US',
      to_zip: zip,
      to_state: state,
      to_city: city,
      shipping: 5.95 + index,
      nexus_addresses: [{ country: 'US', state }],
      line_items: [
        { id: 'a', quantity: 1, unit_price: 19.99 + place, product_tax_code: code },
        { id: 'b', quantity: 3, unit_price: 120.5, discount: 4.25 },
        { id: 'c', quantity: 2, unit_price: 7.35, product_tax_code: CODES[(index + place) % CODES.length] },
      ],
    }),
  ),
);

const calculate = (index: number): number => {
  const request = requests[index % requests.length];
  if (!request) throw new Error('there are no requests');
  return calculateTax({ request, seller: { nexus: [] }, content, asOf: AS_OF }).amount_to_collect;
};

let checksum = 0;
for (let index = 0; index < WARM_UP; index += 1) checksum += calculate(index);
const start = performance.now();
for (let index = 0; index < CALCULATIONS; index += 1) checksum += calculate(index);
const seconds = (performance.now() - start) / 1000;

const latencies = new Float64Array(100_000);
for (let index = 0; index < latencies.length; index += 1) {
  const before = performance.now();
  checksum += calculate(index);
  latencies[index] = performance.now() - before;
}
latencies.sort();

process.stdout.write(
  `${JSON.stringify({
    calculationsPerSecond: Math.round(CALCULATIONS / seconds),
    p99Ms: Number((latencies[99_000] ?? 0).toFixed(4)),
    maxMs: Number((latencies.at(-1) ?? 0).toFixed(4)),
    loadMs: Math.round(loadMs),
    contentHeapMb: Math.round(heapMb),
    checksum,
  })}\n`,
);
