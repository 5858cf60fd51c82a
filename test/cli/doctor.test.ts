import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesOf, type Merchant, sampleMerchant, temporaryFolder, tieout } from '../support/tieout.ts';
import { twoEntities } from '../support/two-entities.ts';
import { serving } from './serving.ts';

const doctor = (merchant: Pick<Merchant, 'config'>, ...args: readonly string[]) =>
  tieout(['doctor', '--config', merchant.config, ...args]);

describe('tieout doctor', () => {
  test('finds a fresh copy of the sample well, and writes nothing', async () => {
    const merchant = await sampleMerchant();
    const before = [...(await filesOf(merchant.folder)).keys()];
    const ran = await doctor(merchant, '--output', merchant.output);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    const lines = ran.stdout.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('all well');
    expect(lines.slice(0, -1).every((line) => line.startsWith('OK '))).toBe(true);
    expect(ran.stdout).toContain('OK exports       shopify: orders_export.csv is shopify.orders@');
    expect([...(await filesOf(merchant.folder)).keys()]).toEqual(before);
  });

  test('finds a closed month well, too', async () => {
    const merchant = await sampleMerchant();
    await merchant.close();
    const ran = await doctor(merchant, '--output', merchant.output);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^OK workspace .*workspace\.db, 1 periods so far$/m);
    expect(ran.stdout).toMatch(/^OK ledger .*ledger\.db, 1 accounts$/m);
  });

  type Ill = readonly [
    what: string,
    code: number,
    line: RegExp,
    spoil: (merchant: Merchant) => Promise<unknown>,
  ];
  const ILLS: readonly Ill[] = [
    [
      'a missing export',
      65,
      /^!! exports {7}E_EXPORT_MISSING: .*orders_export\.csv: there is no such file\n {17}Put the export there/m,
      ({ folder }) => rm(join(folder, 'orders_export.csv')),
    ],
    [
      'an export that nobody knows',
      65,
      /^!! exports {7}E_EXPORT_UNKNOWN: /m,
      ({ folder }) => writeFile(join(folder, 'orders_export.csv'), 'a,b\n1,2\n'),
    ],
    [
      'an output folder that is a file',
      78,
      /^!! output {8}.* cannot be written\n/m,
      ({ output }) => writeFile(output, ''),
    ],
    [
      'a workspace that is another program’s',
      78,
      /^!! workspace {5}E_DATABASE_FOREIGN: /m,
      async ({ folder }) => {
        await mkdir(join(folder, '.tieout'));
        await writeFile(join(folder, '.tieout', 'workspace.db'), 'not a database at all, but long enough');
      },
    ],
    [
      'a service that nobody answers for',
      69,
      /^!! service {7}E_SERVICE_UNAVAILABLE: /m,
      ({ config }) => appendFile(config, '\nservice: { url: "http://127.0.0.1:9/v2/" }\n'),
    ],
  ];

  test.for(ILLS)(
    '%s is %i, with what to do about it, and the rest is looked at',
    async ([, code, line, spoil]) => {
      const merchant = await sampleMerchant();
      await spoil(merchant);
      const ran = await tieout(['doctor', '--config', merchant.config, '--output', merchant.output], {
        env: { TIEOUT_SERVICE_KEY: 'key' },
      });
      expect(ran.code).toBe(code);
      expect(ran.stdout).toMatch(line);
      expect(ran.stdout).toMatch(/^OK configuration /m);
      expect(ran.stdout).toMatch(new RegExp(`to be looked at; exit code ${code}\n$`));
    },
  );

  test('asks a service for its nexus, and says where it has none', async () => {
    const ledger = `sqlite:${join(await temporaryFolder(), 'served.db')}`;
    const nexus = '[{"country":"US","state":"CA"}]';
    const added = await tieout(['account', 'add', 'harbor', '--ledger', ledger, '--nexus', nexus, '--json']);
    const { url } = await serving(['--ledger', ledger]);
    const merchant = await sampleMerchant();
    await appendFile(merchant.config, `\nservice: { url: "${url}" }\n`);
    const { key } = JSON.parse(added.stdout) as { key: string };
    const env = { TIEOUT_SERVICE_KEY: key };
    const args = ['doctor', '--config', merchant.config, '--output', merchant.output];
    const ran = await tieout(args, { env });
    expect(ran.code).toBe(78);
    expect(ran.stdout).toMatch(/^!! service {7}\S+ answers, but has no nexus in CO, FL, /m);
    expect((await tieout(args)).stdout).toMatch(/^!! service {7}E_SERVICE_KEY: /m);
  });

  test('looks at every entity, and has one object for scripts', async () => {
    const both = await twoEntities();
    await rm(join(both.folder, 'outlet', 'orders.csv'));
    const ran = await both.run(['doctor', '--json']);
    expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([
      65,
      {
        healthy: false,
        exit_code: 65,
        entities: [
          {
            entity: 'harbor-and-pine',
            checks: expect.arrayContaining([expect.objectContaining({ check: 'configuration', ok: true })]),
          },
          {
            entity: 'outlet',
            checks: expect.arrayContaining([
              expect.objectContaining({ check: 'exports', ok: false, exit_code: 65 }),
            ]),
          },
        ],
      },
    ]);
  });
});
