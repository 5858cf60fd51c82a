import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditPack } from '../../pipelines/audit-pack.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { sign as signPipeline } from '../../pipelines/sign.ts';
import type { Configuration } from '../../src/close/configuration/schema.ts';
import { closingOf } from '../../src/close/periods/closing.ts';
import type { ClosePorts } from '../../src/close/stages/close-ports.ts';
import { logDigester } from '../../src/close/stages/publish/drawn-from.ts';
import { gatherReport } from '../../src/close/stages/publish/gather-report.ts';
import { parsePeriod } from '../../src/kernel/period.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { filesBelow, sha256OfFile } from '../../src/runtime/publish-folder.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { closeInMemory } from '../support/close-in-memory.ts';
import { type ShopOrder, writeOrders } from '../support/shop.ts';

const PERIOD = '2026-10';
const OCTOBER = parsePeriod(PERIOD) as NonNullable<ReturnType<typeof parsePeriod>>;
const SETTINGS = {
  entity: 'shop',
  name: 'Shop',
  timeZone: 'America/Los_Angeles',
  shipFrom: { country: 'US', state: 'CA', zip: '95814', city: 'Sacramento', street: '1 K Street' },
  registrations: [{ state: 'CA', since: '2019-01-01' }],
  channels: [{ name: 'shopify', files: ['orders.csv'] }],
  policy: { samePersonMaySign: true },
};
const SEPTEMBER: ShopOrder = { name: '#900', at: '2026-09-10 12:00:00 -0700' };
const ORDERS: readonly ShopOrder[] = [
  SEPTEMBER,
  { name: '#1' },
  { name: '#2', tax: '9.00' },
  { name: '#3', price: '20.00', tax: '2.15' },
];

const CHEAPER: readonly ShopOrder[] = [
  ...ORDERS.slice(0, 2),
  { name: '#2', price: '90.00', tax: '9.00' },
  ...ORDERS.slice(3),
];

type World = { readonly ports: ClosePorts; readonly folder: string; readonly pack: string };

const close = (ports: ClosePorts, period = PERIOD) =>
  monthlyClose.run({ ...ports, progress: silentProgress }, { period });

const sign = (ports: ClosePorts, role: 'preparer' | 'reviewer', period = PERIOD) =>
  signPipeline.run({ ...ports, progress: silentProgress }, { period, role, name: 'Dana Reyes' });

const configured = ({ ports }: World, change: Partial<Configuration>): Partial<ClosePorts> => ({
  configuration: { ...ports.configuration, ...change },
});

const withPolicy = (world: World, policy: Partial<Configuration['policy']>): Partial<ClosePorts> =>
  configured(world, { policy: { ...world.ports.configuration.policy, ...policy } });

const exporting =
  (...orders: readonly ShopOrder[]): Change =>
  async ({ folder }) => {
    await writeOrders(folder, 'orders.csv', orders);
    return undefined;
  };

/** Changes one thing that the files are made from, in the world or in the ports that it answers with. */
type Change = (world: World) => Promise<Partial<ClosePorts> | undefined> | Partial<ClosePorts>;

const CHANGES: Readonly<Record<string, Change>> = {
  'a tolerance of the policy': (world) => withPolicy(world, { unexplained: '5.00' }),
  'the materiality': (world) =>
    withPolicy(world, { materiality: { ...world.ports.configuration.policy.materiality, amount: '7.77' } }),
  'what the policy accepts': (world) =>
    withPolicy(world, { accept: [{ record: '#2', code: 'R99', why: 'talked about' }] as never }),
  'the seed of the sample': (world) =>
    withPolicy(world, { sampling: { ...world.ports.configuration.policy.sampling, seed: 'another' } }),
  'the name of the seller': (world) => configured(world, { name: 'Another Shop' }),
  'an account number': ({ ports, ...world }) =>
    configured(
      { ports, ...world },
      { registrations: ports.configuration.registrations.map((row) => ({ ...row, account: '12-345' })) },
    ),
  'the figures that the shop shows': ({ ports, ...world }) =>
    configured(
      { ports, ...world },
      {
        channels: ports.configuration.channels.map((channel) => ({
          ...channel,
          expected: [{ period: PERIOD, tax: '21.90' }] as never,
        })),
      },
    ),
  'an amount of the export': exporting(...CHEAPER),
  'a further order': exporting(...CHEAPER, { name: '#4' }),
  'the order of the rows': exporting({ name: '#4' }, ...CHEAPER),
  'a row of a month before': exporting({ name: '#4' }, ...CHEAPER, { ...SEPTEMBER, name: '#901' }),
  'a row that is rejected': async ({ folder }) => {
    const file = join(folder, 'orders.csv');
    await writeFile(file, (await readFile(file, 'utf8')).replace(',20.00,', ',2o.00,'));
    return undefined;
  },
  'the name of an export': async (world) => {
    await writeOrders(world.folder, 'again.csv', ORDERS);
    const channels = world.ports.configuration.channels.map((one) => ({ ...one, files: ['again.csv'] }));
    return configured(world, { channels });
  },
  'the rates of the service': ({ ports }) => ({
    serviceId: 'embedded, newer',
    service: {
      ...ports.service,
      calculateTax: async (request) =>
        ports.service.calculateTax({ ...request, to_zip: '92101', to_city: 'San Diego' }),
    },
  }),
  'a record of somebody else': async ({ ports }) => {
    await ports.service.createOrder({
      transaction_id: 'X-1',
      transaction_date: '2026-10-12',
      provider: 'shopify',
      to_country: 'US',
      to_state: 'CA',
      to_zip: '94607',
      amount: 10,
      shipping: 0,
      sales_tax: 1,
    });
    return undefined;
  },
  'a close of the month before': async ({ ports }) => {
    await close(ports, '2026-09');
    return undefined;
  },
  'a signature under the month before': async ({ ports }) => {
    await sign(ports, 'preparer', '2026-09');
    return undefined;
  },
  'a signature': async ({ ports }) => {
    await sign(ports, 'preparer');
    return { clock: ports.clock };
  },
  'the version of the program': () => ({ program: 'Tieout 2' }),
  'the name of the service': () => ({ serviceId: 'embedded elsewhere' }),
  'an answer asked anew': ({ ports }) => ({
    recompute: true,
    service: {
      ...ports.service,
      calculateTax: async (request) => ports.service.calculateTax({ ...request, exemption_type: 'other' }),
    },
  }),
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

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tieout-unchanged-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inAWorld = async (work: (world: World) => Promise<void>) => {
  const own = await mkdtemp(join(folder, 'shop-'));
  await writeOrders(own, 'orders.csv', ORDERS);
  await closeInMemory({ folder: own, content: CONTENT, settings: SETTINGS }, async (ports) => {
    await work({ ports, folder: own, pack: join(own, 'shop', PERIOD) });
  });
};
const CONTENT = loadContent();

const digestsOf = async (pack: string): Promise<Readonly<Record<string, string>>> => {
  const paths = await filesBelow(pack);
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await sha256OfFile(join(pack, path))])),
  );
};

const expectAsDrawnAnew = async ({ folder: own }: World, ports: ClosePorts, what = '') => {
  const into = await mkdtemp(join(own, 'anew-'));
  const { differences } = await auditPack.run(
    { ...ports, progress: silentProgress },
    { period: PERIOD, into },
  );
  expect(differences, what).toEqual([]);
};

describe('a month that is closed again', () => {
  test('is left as it is while nothing has changed, down to the time of its files', () =>
    inAWorld(async ({ ports, folder: own, pack }) => {
      const first = await close(ports);
      const before = (await stat(join(pack, 'variance.xlsx'))).mtimeMs;
      const second = await close(ports);
      expect(second.written).toEqual(JSON.parse(JSON.stringify(first.written)));
      expect((await stat(join(pack, 'variance.xlsx'))).mtimeMs).toBe(before);
      await expectAsDrawnAnew({ ports, folder: own, pack }, ports);
    }));

  test('is not even drawn, and says what it said', () =>
    inAWorld(async ({ ports }) => {
      await close(ports);
      const { report } = (await closingOf(ports.workspace, PERIOD)) ?? {};
      await ports.workspace.tables
        .updateTable('closing')
        .set({ report: JSON.stringify({ ...report, seller: 'as it was kept' }) })
        .execute();
      expect((await close(ports)).written.report.seller).toBe('as it was kept');
    }));

  test('is drawn from a report of which its digest misses nothing', () =>
    inAWorld(async ({ ports }) => {
      await close(ports);
      const { report } = await gatherReport(ports, OCTOBER, logDigester());
      expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    }));

  test('is what a first close would write, whatever has changed', () =>
    inAWorld(async (world) => {
      let { ports } = world;
      await close(ports);
      for (const [what, change] of Object.entries(CHANGES)) {
        const before = await digestsOf(world.pack);
        ports = { ...ports, ...(await change({ ...world, ports })) };
        await close(ports);
        expect(await digestsOf(world.pack), what).not.toEqual(before);
        await expectAsDrawnAnew(world, ports, what);
      }
    }));

  test('is written again when somebody has meddled with it', () =>
    inAWorld(async ({ ports, pack }) => {
      await close(ports);
      const before = await digestsOf(pack);
      for (const [what, meddle] of Object.entries(MEDDLING)) {
        await meddle(pack);
        expect(await digestsOf(pack).catch(() => 'no folder'), what).not.toEqual(before);
        await close(ports);
        expect(await digestsOf(pack), what).toEqual(before);
      }
    }));

  test('is drawn anew by another build of the same version, and into another folder', () =>
    inAWorld(async (world) => {
      const { ports, pack } = world;
      await close(ports);
      const drawnFrom = async () => (await closingOf(ports.workspace, PERIOD))?.drawnFrom;
      const before = [await drawnFrom(), await digestsOf(pack)];
      await close({ ...ports, programDigest: 'another' });
      expect([await drawnFrom(), await digestsOf(pack)]).toEqual([
        expect.not.stringMatching(`^${before[0]}$`),
        before[1],
      ]);
      const elsewhere = join(world.folder, 'elsewhere');
      await mkdir(elsewhere);
      await close({ ...ports, output: elsewhere });
      expect(await digestsOf(join(elsewhere, 'shop', PERIOD))).toEqual(before[1]);
    }));
});
