import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerLate } from '../../support/decisions.ts';
import { type Order, ordersExport, type Refund, refundsExport } from '../../support/shop-exports.ts';
import { launch } from '../../support/tieout.ts';
import { inFolder } from '../in-folder.ts';
import { manifestTexts, packTexts, type Texts } from '../pack-texts.ts';
import { stepText } from '../step-text.ts';

const CONFIGURATION = `entity: lamps
name: Lamps & Co.
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1 K Street }
registrations:
  - { state: CA, since: "2019-01-01", account: "102-555013", frequency: quarterly }
  - { state: MA, since: "2019-10-01", account: "STS-15550174" }
  - { state: PA, since: "2026-08-15", account: "67-555014" }
channels: [{ name: shopify, files: [orders.csv], refundDates: [refunds.csv] }]
`;

const CA = { city: 'Oakland', zip: '94607', state: 'CA' };
const MA = { city: 'Boston', zip: '02108', state: 'MA' };
const PA = { city: 'Pittsburgh', zip: '15222', state: 'PA' };
const OR = { city: 'Portland', zip: '97201', state: 'OR' };

const on = (day: string): string => `2026-${day} 12:00:00 -0700`;

/** Three months as they were at first; 104 was taxed too low, 203 before the registration in Pennsylvania. */
const ORDERS: readonly Order[] = [
  {
    name: '#101',
    at: on('07-03'),
    to: CA,
    price: '120.00',
    tax: '12.90',
  },
  { name: '#102', at: on('07-10'), to: MA, price: '80.00', tax: '5.00' },
  { name: '#103', at: on('07-17'), to: OR, price: '45.50', tax: '0.00' },
  { name: '#104', at: on('07-24'), to: CA, price: '60.00', tax: '4.35' },
  { name: '#105', at: on('07-28'), to: CA, price: '200.00', tax: '21.50' },
  { name: '#106', at: on('07-31'), to: MA, price: '33.33', tax: '2.08' },
  { name: '#201', at: on('08-04'), to: CA, price: '19.99', tax: '2.15' },
  { name: '#202', at: on('08-12'), to: MA, price: '150.00', tax: '9.38' },
  { name: '#203', at: on('08-13'), to: PA, price: '90.00', tax: '6.30' },
  { name: '#204', at: on('08-20'), to: PA, price: '75.00', tax: '5.25' },
  { name: '#205', at: on('08-30'), to: CA, price: '310.00', tax: '33.33' },
  { name: '#301', at: on('09-02'), to: CA, price: '64.00', tax: '6.88' },
  { name: '#302', at: on('09-15'), to: MA, price: '28.00', tax: '1.75' },
  { name: '#303', at: on('09-29'), to: PA, price: '101.00', tax: '7.07' },
];

const REFUNDS: readonly Refund[] = [{ order: '#102', at: on('08-06'), amount: '85.00' }];

/** The same orders, but for these. */
const changed = (orders: readonly Order[], ...others: readonly Order[]): readonly Order[] => [
  ...orders.map((order) => others.find(({ name }) => name === order.name) ?? order),
  ...others.filter(({ name }) => !orders.some((order) => order.name === name)),
];

const FIRST = changed(ORDERS, {
  ...{ name: '#102', at: on('07-10'), to: MA, price: '80.00', tax: '5.00' },
  ...{ status: 'refunded', refunded: '85.00' },
});
/** 105 was paid in August and not in July. */
const MOVED = changed(FIRST, { name: '#105', at: on('08-02'), to: CA, price: '200.00', tax: '21.50' });
/** After July is filed: an order of July that no one had seen, one that says something else, one that is void. */
const LATE = changed(
  MOVED,
  { name: '#107', at: on('07-30'), to: CA, price: '55.00', tax: '5.91' },
  { name: '#104', at: on('07-24'), to: CA, price: '66.00', tax: '7.10' },
  { name: '#103', at: on('07-17'), to: OR, price: '45.50', tax: '0.00', status: 'voided' },
);
/** After August is filed: an order of August that no one had seen, and one that says something else. */
const LATER = changed(
  LATE,
  { name: '#206', at: on('08-27'), to: MA, price: '40.00', tax: '2.50' },
  { name: '#204', at: on('08-20'), to: PA, price: '57.00', tax: '3.99' },
);

const MONTHS = '2026-07..2026-09';

/** What came late is answered in the form of the open period. */
type Step =
  | readonly string[]
  | { readonly orders: readonly Order[] }
  | {
      readonly answer: 'next' | 'amend';
      readonly in: string;
    };

const HISTORY: readonly Step[] = [
  { orders: FIRST },
  ['backfill', MONTHS],
  { orders: MOVED },
  ['close', '2026-07'],
  ['backfill', MONTHS],
  ['lock', '2026-07', '--open-exceptions', 'known variance'],
  { orders: LATE },
  ['close', '2026-08'],
  { answer: 'next', in: '2026-08' },
  ['close', '2026-08'],
  ['lock', '2026-08', '--open-exceptions', 'known variance'],
  { orders: LATER },
  ['close', '2026-09'],
  { answer: 'amend', in: '2026-09' },
  ['close', '2026-08', '--amend'],
  ['lock', '2026-08-amended-1', '--open-exceptions', 'known variance'],
  ['backfill', MONTHS],
  ['close', '2026-Q3'],
];

/**
 * Three months of a small shop: closed in one go, an order moved from July to August, July locked, what came late for it
 * carried into August, August locked, what came late for that put into an amended version, and all closed again.
 */
export const threeMonths = (): Promise<Texts> =>
  inFolder(async (folder) => {
    await writeFile(join(folder, 'tieout.yaml'), CONFIGURATION);
    await writeFile(join(folder, 'refunds.csv'), refundsExport(REFUNDS));
    const texts = new Map<string, string>();
    const out = (period = ''): string => join(folder, 'out', 'lamps', period);
    for (const step of HISTORY) {
      if ('answer' in step) await answerLate({ folder, out }, step.in, step.answer);
      else if ('orders' in step) await writeFile(join(folder, 'orders.csv'), ordersExport(step.orders));
      else {
        const output = ['--output', 'out'];
        const ran = await launch([...step, '--config', 'tieout.yaml', ...output, '--json'], { cwd: folder });
        const books = [...(await manifestTexts(join(folder, 'out')))];
        const figures = books.map(([period, text]) => `\nbooks of ${period}\n${text}`).join('');
        const number = String(texts.size + 1).padStart(2, '0');
        texts.set(
          `after-${number}-${step.slice(0, 3).join(' ')}.txt`,
          `${stepText(step, ran, folder)}${figures}`,
        );
      }
    }
    for (const period of await readdir(join(folder, 'out', 'lamps')))
      for (const [path, text] of await packTexts(join(folder, 'out', 'lamps', period)))
        texts.set(`${period}/${path}`, text);
    return texts;
  });
