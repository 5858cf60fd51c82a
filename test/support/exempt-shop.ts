import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { temporaryFolder, tieout } from './tieout.ts';

/** One order of 100.00 to Oakland, California, on 2026-10-10, or a refund of one; 10.75 tax unless it says otherwise. */
export type ExemptOrder = {
  readonly id: string;
  readonly customer?: string;
  readonly exemption?: 'wholesale' | 'government' | 'other' | 'marketplace' | '';
  readonly tax?: string;
  readonly on?: string;
  readonly state?: 'CA' | 'NV' | 'OR';
  readonly refundOf?: string;
};

const PLACES = {
  CA: ['1 Main St', 'Oakland', 'CA', '94607'],
  NV: ['1 Main St', 'Las Vegas', 'NV', '89101'],
  OR: ['1 Main St', 'Portland', 'OR', '97201'],
} as const;

const HEADER =
  'provider,order_id,transaction_type,transaction_reference_id,completed_at,customer_id,shiptostreet,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax,exemption_type';

/** A certificate of a register: id, customer, states, reason, valid from, valid to, and what may follow. */
export type RegisterRow = readonly string[];

export const REGISTER_HEADER = ['Certificate', 'Customer', 'States', 'Reason', 'Valid from', 'Valid to'];

export type Figures = {
  readonly exit_code: number;
  readonly calculations: Readonly<Record<string, number>>;
  readonly submissions: Readonly<Record<string, number>>;
  readonly totals: Readonly<Record<string, string>>;
  readonly reasons: readonly Readonly<Record<string, string | number>>[];
  readonly inputs: readonly Readonly<Record<string, string | number>>[];
  readonly exceptions: readonly {
    readonly code: string;
    readonly severity: string;
    readonly record: string;
    readonly message: string;
    readonly effect: string;
    readonly file: string;
    readonly line: number;
    readonly column?: string;
    readonly value?: string;
  }[];
};

/** A shop that names its customers and calls sales exempt, with a register of certificates where it has one. */
export const exemptShop = async (orders: readonly ExemptOrder[], more = '') => {
  const folder = await temporaryFolder();
  const output = join(folder, 'out');
  const write = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content);
  const writeOrders = (next: readonly ExemptOrder[]) =>
    write('orders.csv', stringify([HEADER.split(','), ...next.map(cellsOf)]));
  await writeOrders(orders);
  // The export names customers in a column that its shipped profile does not know.
  await write(
    'with-customers.yaml',
    `extends: taxjar.orders\ncolumns: [${HEADER}]\nmap: { customer: customer_id }\n`,
  );
  const configure = (rest: string) =>
    write(
      'tieout.yaml',
      `entity: shop
name: Shop
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1 K Street }
registrations: [{ state: CA, since: "2019-01-01" }, { state: NV, since: "2019-01-01" }]
channels: [{ name: shop, files: [orders.csv], profile: with-customers.yaml }]
${rest}`,
    );
  await configure(more);
  const run = (...args: readonly string[]) =>
    tieout(['close', '2026-10', '--config', join(folder, 'tieout.yaml'), '--output', output, ...args]);
  return {
    folder,
    output: join(output, 'shop', '2026-10'),
    book: join(output, 'shop', '2026-10', 'variance.xlsx'),
    write,
    writeOrders,
    configure,
    writeRegister: (rows: readonly RegisterRow[], header: readonly string[] = REGISTER_HEADER) =>
      write('register.csv', stringify([[...header], ...rows.map((row) => [...row])])),
    run,
    /** Close October and give its figures. */
    close: async (...args: readonly string[]): Promise<Figures> => {
      const ran = await run('--json', ...args);
      if (ran.stderr !== '') throw new Error(ran.stderr);
      return JSON.parse(ran.stdout) as Figures;
    },
  };
};

const cellsOf = (order: ExemptOrder): readonly string[] => {
  const isExempt = order.exemption !== undefined && order.exemption !== '';
  return [
    '',
    order.id,
    order.refundOf === undefined ? 'Order' : 'Refund',
    order.refundOf ?? '',
    order.on ?? '2026-10-10',
    order.customer ?? '',
    ...PLACES[order.state ?? 'CA'],
    'US',
    '0.00',
    order.refundOf === undefined ? '100.00' : '-100.00',
    order.tax ?? (isExempt ? '0.00' : '10.75'),
    order.exemption ?? '',
  ];
};
