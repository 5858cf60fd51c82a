import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { expect } from 'vitest';
import { tieout } from '../support/tieout.ts';

/** A place in every state whose return is mapped, and in one whose is not. */
export const PLACES: Readonly<Record<string, readonly [city: string, zip: string]>> = {
  AZ: ['Phoenix', '85004'],
  CA: ['Oakland', '94607'],
  CO: ['Denver', '80202'],
  FL: ['Miami', '33130'],
  GA: ['Macon', '31201'],
  IL: ['Chicago', '60601'],
  MA: ['Worcester', '01608'],
  MI: ['Detroit', '48226'],
  MN: ['Minneapolis', '55401'],
  MO: ['Kansas City', '64106'],
  NC: ['Charlotte', '28202'],
  NJ: ['Newark', '07102'],
  NY: ['Buffalo', '14202'],
  OH: ['Columbus', '43215'],
  PA: ['Pittsburgh', '15222'],
  TN: ['Nashville', '37201'],
  TX: ['Houston', '77002'],
  UT: ['Salt Lake City', '84111'],
  WA: ['Seattle', '98101'],
  WI: ['Milwaukee', '53202'],
};
export const STATES = Object.keys(PLACES);
/** Registered, and nothing was sold there. */
export const EMPTY_STATE = 'VA';

const HEADER =
  'provider,order_id,transaction_type,transaction_reference_id,completed_at,customer_id,shiptostreet,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax,exemption_type'.split(
    ',',
  );

export const isQuarterly = (state: string): boolean =>
  state !== 'MI' && state !== 'NY' && STATES.indexOf(state) % 4 === 0;

const rowOf = (
  state: string,
  number: string,
  amount: string,
  tax: string,
  { exempt = '', refundOf = '', on = '2026-10-10' } = {},
): readonly string[] => [
  '',
  `${state}-${number}`,
  refundOf === '' ? 'Order' : 'Refund',
  refundOf === '' ? '' : `${state}-${refundOf}`,
  on,
  '',
  '1 Main St',
  ...(PLACES[state] ?? []).slice(0, 1),
  state,
  ...(PLACES[state] ?? []).slice(1),
  'US',
  '0.00',
  amount,
  tax,
  exempt,
];

/**
 * Taxed sales with too much and too little collected, exempt ones, sales on a marketplace and refunds in every state.
 * In September there were sales in all states but the first, and in California none that was taxed.
 */
const october = (state: string, index: number): readonly (readonly string[])[] => [
  rowOf(state, '1', `${234 + 61 * index}.50`, `${150 + index}.34`),
  rowOf(state, '2', `${88 + index}.20`, '1.05'),
  rowOf(state, '3', '300.10', '0.00', { exempt: 'wholesale' }),
  rowOf(state, '4', '20.20', '0.00', { exempt: 'government' }),
  rowOf(state, '5', '1000.40', '0.00', { exempt: 'marketplace' }),
  rowOf(state, '6', '-30.00', '0.00', { exempt: 'wholesale', refundOf: '3', on: '2026-10-20' }),
  rowOf(state, '7', '-88.20', '-1.05', { refundOf: '2', on: '2026-10-20' }),
];

const september = (state: string, index: number): readonly (readonly string[])[] => {
  if (index === 0) return [];
  const exempt = state === 'CA' ? 'wholesale' : '';
  return [rowOf(state, '0', '1000.00', exempt === '' ? '80.00' : '0.00', { exempt, on: '2026-09-10' })];
};

const registrationOf = (state: string, index: number): string => {
  const basis = ['greater', 'expected', 'collected'][index % 3];
  const frequency = isQuarterly(state) ? 'quarterly' : 'monthly';
  const paid = `purchases: [{ period: 2026-10, amount: "310.00" }], prepayments: [{ period: 2026-10, opening: "10.00", added: "${index}.00" }], credits: [{ period: 2026-10, opening: "${index}.77" }]`;
  return `  - { state: ${state}, since: "2019-01-01", account: "123-456789", frequency: ${frequency}, basis: ${basis}, localTax: with-state, deliveryFee: none, ${isQuarterly(state) ? '' : paid} }`;
};

/** A shop that sells in every state, for September and October. */
const writeShopOfEveryState = async (folder: string): Promise<void> => {
  const rows = STATES.flatMap((state, index) => [...september(state, index), ...october(state, index)]);
  await writeFile(join(folder, 'orders.csv'), stringify([HEADER, ...rows]));
  await writeFile(
    join(folder, 'tieout.yaml'),
    `entity: shop
name: "=Harbor & Pine"
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1 K Street }
registrations:
${STATES.map(registrationOf).join('\n')}
  - { state: ${EMPTY_STATE}, since: "2019-01-01" }
channels: [{ name: shop, files: [orders.csv], profile: taxjar.orders }]
`,
  );
};

/** Closes both months of the shop in a folder, and returns that of October; what was collected is not what any rule gives. */
export const closeShopOfEveryState = async (folder: string): Promise<string> => {
  await writeShopOfEveryState(folder);
  const args = ['--config', join(folder, 'tieout.yaml'), '--output', join(folder, 'out')];
  for (const period of ['2026-09', '2026-10'])
    expect(await tieout(['close', period, ...args])).toMatchObject({ code: 1, stderr: '' });
  return join(folder, 'out/shop/2026-10');
};
