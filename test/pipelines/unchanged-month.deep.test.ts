import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withWireCalls } from '../contract/wire-calls.ts';
import type { PipelinePorts } from '../entry/close.ts';
import { pipelines } from '../entry/close.ts';
import { type Month, month } from '../support/month.ts';
import { type Order, ordersExport } from '../support/shop-exports.ts';
import { filesOf } from '../support/tieout.ts';

const PERIOD = '2026-10';
const SEPTEMBER: Order = { name: '#900', at: '2026-09-10' };
const ORDERS: readonly Order[] = [
  SEPTEMBER,
  { name: '#1' },
  { name: '#2', tax: '9.00' },
  { name: '#3', price: '20.00' },
];
const CHEAPER = ORDERS.map((order) => (order.name === '#2' ? { ...order, price: '90.00' } : order));
const POLICY = { samePersonMaySign: true };

const newShop = () => month({ orders: ORDERS, settings: { policy: POLICY } });

/** Work with the ports of the shop as changes have left them. */
type Working = <Result>(work: (ports: PipelinePorts) => Promise<Result>) => Promise<Result>;

const close = (working: Working, period = PERIOD) =>
  working((ports) => pipelines.monthlyClose.run(ports, { period }));
const signAs = (working: Working, role: 'preparer' | 'reviewer', period = PERIOD) =>
  working((ports) =>
    pipelines.sign.run(ports, { period, role, name: 'Dana Reyes', openExceptions: 'looked at' }),
  );

const configured =
  (settings: object, policy: object = {}): Change =>
  ({ shop }) =>
    shop.change({ settings: { policy: { ...POLICY, ...policy }, ...settings } });

const exporting =
  (...orders: readonly Order[]): Change =>
  ({ shop }) =>
    shop.change({ orders, settings: { policy: POLICY } });

/** Changes one thing that the files are made from, in the shop or in what its close works with. */
type Change = (world: {
  readonly shop: Month;
  readonly working: Working;
  readonly alter: (altered: (ports: PipelinePorts) => PipelinePorts) => void;
}) => unknown;

const CHANGES: Readonly<Record<string, Change>> = {
  'a tolerance of the policy': configured({}, { unexplained: '5.00' }),
  'the materiality': configured({}, { materiality: { amount: '7.77' } }),
  'what the policy accepts': configured({}, { accept: [{ record: '#2', code: 'R99', why: 'talked about' }] }),
  'the seed of the sample': configured({}, { sampling: { seed: 'another' } }),
  'the name of the seller': configured({ name: 'Another Shop' }),
  'an account number': configured({
    registrations: [{ state: 'CA', since: '2019-01-01', account: '12-345' }],
  }),
  'the figures that the shop shows': ({ shop }) =>
    shop.change({ channel: { expected: [{ period: PERIOD, tax: '21.90' }] } }),
  'an amount of the export': exporting(...CHEAPER),
  'a further order': exporting(...CHEAPER, { name: '#4' }),
  'the order of the rows': exporting({ name: '#4' }, ...CHEAPER),
  'a row of a month before': exporting({ name: '#4' }, ...CHEAPER, { ...SEPTEMBER, name: '#901' }),
  'a row that is rejected': async ({ shop }) =>
    shop.write('orders.csv', (await shop.read('orders.csv')).replace(',20.00,', ',2o.00,')),
  'the name of an export': async ({ shop }) => {
    await shop.write('again.csv', ordersExport(ORDERS));
    await shop.change({ channel: { files: ['again.csv'] } });
  },
  'the rates of the service': ({ alter }) =>
    alter(({ service, ...ports }) => ({
      ...ports,
      serviceId: 'embedded, newer',
      service: {
        ...service,
        calculateTax: (request) =>
          service.calculateTax({ ...request, to_zip: '92101', to_city: 'San Diego' }),
      },
    })),
  'a record of somebody else': ({ shop }) =>
    shop.service((service) =>
      withWireCalls(service).createOrder({
        transaction_id: 'X-1',
        transaction_date: '2026-10-12',
        provider: 'shopify',
        to_country: 'US',
        to_state: 'CA',
        to_zip: '94607',
        amount: 10,
        shipping: 0,
        sales_tax: 1,
      }),
    ),
  'a close of the month before': ({ working }) => close(working, '2026-09'),
  'a signature under the month before': ({ working }) => signAs(working, 'preparer', '2026-09'),
  'a signature': ({ working }) => signAs(working, 'preparer'),
  'the version of the program': ({ alter }) =>
    alter((ports) => ({ ...ports, program: 'Tieout 2', programDigest: '2'.repeat(64) })),
  'the name of the service': ({ alter }) => alter((ports) => ({ ...ports, serviceId: 'embedded elsewhere' })),
  'an answer asked again': ({ alter }) =>
    alter(({ service, ...ports }) => ({
      ...ports,
      recompute: true,
      service: {
        ...service,
        calculateTax: (request) => service.calculateTax({ ...request, exemption_type: 'other' }),
      },
    })),
};

/** What somebody does to the files. */
const MEDDLING: Readonly<Record<string, (pack: string) => Promise<unknown>>> = {
  'a file is gone': (pack) => rm(join(pack, 'report.html')),
  'the folder is gone': (pack) => rm(pack, { recursive: true }),
  'a byte is another': async (pack) => {
    const bytes = await readFile(join(pack, 'variance.xlsx'));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(join(pack, 'variance.xlsx'), bytes);
  },
  'a file is cut off': async (pack) => writeFile(join(pack, 'report.html'), ''),
  'a file stands beside them': async (pack) => writeFile(join(pack, 'evidence', 'note.txt'), 'mine'),
  'a file is a link to its copy': async (pack) => {
    const [file, copy] = [join(pack, 'report.html'), `${pack}.copy`];
    await writeFile(copy, await readFile(file));
    await rm(file);
    await symlink(copy, file);
  },
};

/** Nothing would come out otherwise if all of it were drawn again. */
const expectAsDrawnAnew = async (shop: Month, working: Working, what = '') => {
  const into = await mkdtemp(join(shop.folder, 'again-'));
  const { differences } = await working((ports) => pipelines.auditPack.run(ports, { period: PERIOD, into }));
  expect(differences, what).toEqual([]);
};

const writtenAt = async (shop: Month): Promise<number> =>
  (await stat(join(shop.out(), 'variance.xlsx'))).mtimeMs;

describe('a month that is closed again', () => {
  test('is left as it is while nothing has changed, down to the time of its files, and says what it said', async () => {
    const shop = await newShop();
    const { submissions: _, calculations: __, ...first } = await shop.close();
    const before = await writtenAt(shop);
    expect(await shop.close()).toMatchObject({ ...first, calculations: { asked: 0 } });
    expect(await writtenAt(shop)).toBe(before);
    expect((await shop.run('audit-pack', PERIOD)).code).toBe(0);
  });

  test('is what a first close would write, whatever has changed', async () => {
    const shop = await newShop();
    let altered = (ports: PipelinePorts): PipelinePorts => ports;
    const working: Working = (work) => shop.ports((ports) => work(altered(ports)));
    const alter = (next: (ports: PipelinePorts) => PipelinePorts): void => {
      const before = altered;
      altered = (ports) => next(before(ports));
    };
    await close(working);
    for (const [what, change] of Object.entries(CHANGES)) {
      const before = await shop.files();
      await change({ shop, working, alter });
      await close(working);
      expect(await shop.files(), what).not.toEqual(before);
      await expectAsDrawnAnew(shop, working, what);
    }
  });

  test('is written again when somebody has meddled with it', async () => {
    const shop = await newShop();
    await shop.close();
    const before = await shop.files();
    for (const [what, meddle] of Object.entries(MEDDLING)) {
      await meddle(shop.out());
      expect(await shop.files(), what).not.toEqual(before);
      await shop.close();
      expect(await shop.files(), what).toEqual(before);
    }
  });

  test('is the same by another build of the same version, and in another folder', async () => {
    const shop = await newShop();
    await shop.closeWith();
    const files = await shop.files();
    const elsewhere = join(shop.folder, 'elsewhere');
    await shop.closeWith((ports) => ({ ...ports, output: elsewhere }));
    expect(await filesOf(join(elsewhere, 'shop', PERIOD))).toEqual(files);
    await shop.closeWith((ports) => ({ ...ports, programDigest: '1'.repeat(64) }));
    // The manifest names the build, and nothing else does.
    const manifest = join('evidence', 'manifest.json');
    const withoutManifest = (all: typeof files) => [...all].filter(([path]) => path !== manifest);
    expect(withoutManifest(await shop.files())).toEqual(withoutManifest(files));
  });
});
