import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { REGISTER, register } from '../support/register.ts';
import { AUSTIN } from '../support/shop-exports.ts';
import { filesOf, temporaryFolder, tieout } from '../support/tieout.ts';
import { serving } from './serving.ts';

const ORDERS = { orders: [{ name: '#1' }] };

/** The account balances of a seller, and how they are configured. */
const BALANCES = `account,month,opening,charged,paid,closing
Sales tax payable,2026-10,10.00,20.00,10.00,20.00
`;
const LEDGER = { ledger: 'balances.csv' };

describe('tieout doctor', () => {
  test('finds a new shop well, and a closed month, and writes nothing', async () => {
    const shop = await month(ORDERS);
    const before = [...(await filesOf(shop.folder)).keys()];
    const ran = await shop.run('doctor');
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    const lines = ran.stdout.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('a close can run');
    expect(lines.slice(0, -1).every((line) => /^OK /.test(line))).toBe(true);
    expect(ran.stdout).toMatch(/^OK exports {7}orders\.csv is shopify\.orders@\d+ of shopify$/m);
    expect([...(await filesOf(shop.folder)).keys()]).toEqual(before);
    await shop.close();
    const closed = [...(await filesOf(shop.folder)).keys()];
    expect((await shop.run('doctor')).stdout).toMatch(/^OK records .*ledger\.db$/m);
    expect([...(await filesOf(shop.folder)).keys()]).toEqual(closed);
  });

  test('reads the register and the balances as a close does, and warns of rows that it cannot use', async () => {
    const shop = await month({ ...ORDERS, settings: { ...LEDGER, certificates: [REGISTER] } });
    await shop.write('balances.csv', BALANCES);
    await shop.write(REGISTER, register([{}]));
    const well = await shop.run('doctor');
    expect(well.code).toBe(0);
    expect(well.stdout).toMatch(/^OK certificates {2}register\.csv is read$/m);
    expect(well.stdout).toMatch(/^OK ledger {8}balances\.csv is read$/m);
    await shop.write('balances.csv', `${BALANCES}Sales tax payable,yesterday,20.00,0.00,0.00,20.00\n`);
    await shop.write(REGISTER, register([{}, { id: 'RC-2', to: 'someday' }]));
    const warned = await shop.run('doctor');
    expect(warned.code).toBe(0);
    expect(warned.stdout).toMatch(/^! {2}certificates {2}register\.csv: line 3: .+$/m);
    expect(warned.stdout).toMatch(/^! {2}ledger {8}balances\.csv: line 3: month is "yesterday"/m);
  });

  type Ill = readonly [what: string, code: number, line: RegExp, spoil: (shop: Month) => Promise<unknown>];
  const ILLS: readonly Ill[] = [
    [
      'a missing export',
      65,
      /^!! exports {7}E_EXPORT_MISSING: .*orders\.csv: there is no such file\n {17}Put the export there/m,
      ({ folder }) => rm(join(folder, 'orders.csv')),
    ],
    [
      'a missing file of decisions',
      65,
      /^!! decisions {5}E_DECISION: .*lost\.csv: there is no such file\n {17}A close writes open-items\.csv/m,
      ({ change }) => change({ settings: { decisions: ['lost.csv'] } }),
    ],
    [
      'a ledger that is another program’s',
      78,
      /^!! records {7}E_DATABASE_FOREIGN: /m,
      ({ write }) => write('.tieout/ledger.db', 'not a database at all, but long enough'),
    ],
    [
      'a register of locks that names a folder that is not there',
      65,
      /^!! locks {9}E_LOCK_UNKNOWN: /m,
      ({ write }) => write('locks.ndjson', 'no line\n'),
    ],
    [
      'a service that no one answers for',
      69,
      /^!! service {7}E_SERVICE_UNAVAILABLE: /m,
      ({ change }) => change({ settings: { service: { url: 'http://127.0.0.1:9/v2/' } } }),
    ],
  ];

  test.for(ILLS)(
    '%s is %i, with what to do about it, and the rest is looked at',
    async ([, code, line, spoil]) => {
      const shop = await month(ORDERS);
      await spoil(shop);
      const ran = await shop.runWith({ env: { TIEOUT_SERVICE_KEY: 'key' } }, 'doctor');
      expect(ran.code).toBe(code);
      expect(ran.stdout).toMatch(line);
      expect(ran.stdout).toMatch(/^OK configuration /m);
      expect(ran.stdout).toMatch(new RegExp(`found \\(exit code ${code}\\)\n$`));
    },
  );

  test('finds a ledger that is damaged in the middle', async () => {
    const shop = await month(ORDERS);
    await shop.close();
    const bytes = await readFile(join(shop.folder, '.tieout', 'ledger.db'));
    const middle = Math.floor(bytes.length / 2);
    await shop.write('.tieout/ledger.db', bytes.fill(0, middle, middle + 8192));
    const doctor = await shop.run('doctor');
    expect(doctor.code).toBe(65);
    expect(doctor.stdout).toMatch(
      /^!! records +E_DATABASE_DAMAGED: .*ledger\.db is damaged: SQLite(’s check found “| cannot read).*\n {17}.*docs\/cron\.md/m,
    );
  });

  test('asks a service for its nexus, and says where it has none, and which tax content it has', async () => {
    const ledger = `sqlite:${join(await temporaryFolder(), 'served.db')}`;
    const nexus = '[{"country":"US","state":"CA"}]';
    const added = await tieout(['account', 'add', 'harbor', '--ledger', ledger, '--nexus', nexus, '--json']);
    const { url } = await serving(['--ledger', ledger]);
    const registrations = ['CA', 'CO', 'FL'].map((state) => ({ state, since: '2019-01-01' }));
    const shop = await month({
      orders: [
        { name: '#1' },
        { name: '#2', to: { city: 'Miami', zip: '33101', state: 'FL' } },
        { name: '#3', to: AUSTIN },
      ],
      settings: { registrations: [...registrations, { state: 'TX', since: '2026-11-01' }], service: { url } },
    });
    const { key } = JSON.parse(added.stdout) as { key: string };
    const ran = await shop.runWith({ env: { TIEOUT_SERVICE_KEY: key } }, 'doctor');
    expect(ran.code).toBe(78);
    expect(ran.stdout).toMatch(
      /^!! service {7}\S+ answers by the tax content \S+ \S+ of \d{4}-\d\d-\d\d #[0-9a-f]{8}, but has no nexus in CO, FL, TX/m,
    );
    expect((await shop.run('doctor')).stdout).toMatch(/^!! service {7}E_SERVICE_KEY: /m);
    const closed = await shop.runWith({ env: { TIEOUT_SERVICE_KEY: key } }, 'close', '2026-10');
    // Nothing was sold to Colorado, and the registration in Texas is of later.
    expect(closed.stdout).not.toMatch(/no-nexus US-(CO|TX)/);
    expect(closed.stdout).toMatch(
      /\n {2}open no-nexus US-FL FL: the service knows no nexus in FL for 1 sale of days on which the seller is registered there, so it expects no tax of them\n.*\n? {4}to do: Correct the nexus of the account of the service, /,
    );
    expect(await shop.verify()).toEqual([]);
    await shop.change({ settings: { registrations, service: { url: new URL('/', url).href } } });
    const ran404 = await shop.runWith({ env: { TIEOUT_SERVICE_KEY: key } }, 'doctor');
    expect(ran404.stdout).toMatch(/^!! service {7}E_SERVICE_ADDRESS: .* 404 .*\n +Correct the address, /m);
  });

  test('looks at every entity, and has one object for scripts', async () => {
    const both = await month({ entities: { store: ORDERS, outlet: ORDERS } });
    await rm(join(both.folder, 'outlet-orders.csv'));
    const ran = await both.run('doctor', '--json');
    expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([
      65,
      {
        exit_code: 65,
        entities: [
          {
            entity: 'store',
            checks: expect.arrayContaining([expect.objectContaining({ check: 'configuration', mark: 'OK' })]),
          },
          {
            entity: 'outlet',
            checks: expect.arrayContaining([
              expect.objectContaining({ check: 'exports', mark: '!!', exit_code: 65 }),
            ]),
          },
        ],
      },
    ]);
  });
});
