import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditPack } from '../../pipelines/audit-pack.ts';
import { historicalBackfill } from '../../pipelines/historical-backfill.ts';
import { lock } from '../../pipelines/lock.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { sign } from '../../pipelines/sign.ts';
import type { ClosePorts } from '../../src/index.ts';
import { type Progress, silentProgress } from '../../src/runtime/progress.ts';
import { onEveryDatabase, sqliteFiles, type TestDatabases } from '../support/databases.ts';
import { month } from '../support/month.ts';
import type { TemplateRow } from '../support/shop-exports.ts';

/** Two tax contents, before and after a change. */
const [OLD, NEW] = ['embedded in Tieout 1, tax #old', 'embedded in Tieout 1, tax #new'];
const REMOTE = 'https://vendor.example/v2/ #12345678';

/** Orders that tie out, are exempt, were charged what nothing explains, and what another rate explains. */
const monthOf = (month: string): readonly TemplateRow[] => [
  { name: `${month}-1`, at: `${month}-10` },
  { name: `${month}-2`, at: `${month}-11`, exemption: 'wholesale' },
  { name: `${month}-3`, at: `${month}-12`, tax: '3.33' },
  { name: `${month}-4`, at: `${month}-13`, tax: '7.25' },
];
const ORDERS = [...monthOf('2026-09'), ...monthOf('2026-10')];

const shopOn = async (databases: TestDatabases) => {
  const urls = { ledger: await databases.newUrl(), workspace: await databases.newUrl() };
  const shop = await month({ template: ORDERS, settings: { databases: urls } });
  const withPorts = <Result>(
    serviceId: string,
    work: (ports: ClosePorts & { readonly progress: Progress }) => Promise<Result>,
  ): Promise<Result> => shop.ports((ports) => work({ ...ports, serviceId, programDigest: serviceId }));
  return {
    ...shop,
    withPorts,
    closeBy: (serviceId: string, period: string) =>
      withPorts(serviceId, (ports) => monthlyClose.run(ports, { period })),
  };
};
type Shop = Awaited<ReturnType<typeof shopOn>>;

/** What is kept of each service: how many answers, and how many that a sale or an exemption has no use for. */
const keptIn = (shop: Shop) =>
  shop.withPorts(NEW, async ({ workspace: { tables } }) => {
    const answers = await tables.selectFrom('calculation').selectAll().execute();
    const rows = await tables.selectFrom('sale_calculation').selectAll().execute();
    const named = rows.map((row) => `${row.calculation} ${row.alternatives}`).join();
    const count = (service: string) => answers.filter((answer) => answer.service === service);
    const unnamed = (service: string) =>
      count(service).filter(
        ({ digest, request }) => !named.includes(digest) && !request.includes('"non_exempt"'),
      );
    return Object.fromEntries(
      [OLD, NEW, REMOTE].map((service) => [
        service,
        { all: count(service).length, unnamed: unnamed(service).length },
      ]),
    );
  });

const digestOfNumber = (number: number): string => number.toString(16).padStart(64, '0');

/** Answers that no sale has asked for. */
const keepStrangers = (shop: Shop, service: string, count: number, from = 1) =>
  shop.withPorts(NEW, ({ workspace }) =>
    workspace.upsert(
      'calculation',
      Array.from({ length: count }, (_, index) => ({
        digest: digestOfNumber(from + index),
        service,
        request: '{}',
        result: '{}',
      })),
    ),
  );

onEveryDatabase((databases) => {
  test('what was calculated before a change is gone after the next close; what a remote service said, or serves another entity, stays', async () => {
    const shop = await shopOn(databases);
    await shop.closeBy(OLD, '2026-10');
    const before = (await keptIn(shop))[OLD];
    expect(before?.unnamed).toBeGreaterThan(0);
    await keepStrangers(shop, REMOTE, 3);
    await keepStrangers(shop, 'embedded in Tieout 1, tax #outlet', 3, 10);
    await shop.withPorts(OLD, ({ workspace }) =>
      workspace.upsert('answering', [
        { entity: 'outlet', service: 'embedded in Tieout 1, tax #outlet', orphans: 0 },
      ]),
    );
    await shop.closeBy(NEW, '2026-10');
    expect(await keptIn(shop)).toMatchObject({ [OLD]: { all: 0 }, [NEW]: before, [REMOTE]: { all: 3 } });
    const others = await shop.withPorts(NEW, ({ workspace: { tables } }) =>
      tables.selectFrom('calculation').select('digest').where('service', 'like', '%#outlet').execute(),
    );
    expect(others).toHaveLength(3);
  });

  test('it is done batch by batch: what was cut off is finished by the next close, and then never looked at', async () => {
    const shop = await shopOn(databases);
    await shop.closeBy(OLD, '2026-10');
    await keepStrangers(shop, OLD, 600);
    const closeUntil = (told: (stage: string, done: number) => void) =>
      shop.withPorts(NEW, (ports) =>
        monthlyClose.run(
          { ...ports, progress: { ...silentProgress, advanced: told } },
          { period: '2026-10' },
        ),
      );
    const cut = closeUntil((stage, done) => {
      if (stage === 'tidy' && done > 0) throw new Error('cut off');
    });
    await expect(cut).rejects.toThrow('cut off');
    const left = (await keptIn(shop))[OLD]?.all ?? 0;
    expect([left > 0, left < 600]).toEqual([true, true]);
    await closeUntil(() => {});
    expect((await keptIn(shop))[OLD]?.all).toBe(0);

    const stages = new Set<string>();
    await closeUntil((stage) => stages.add(stage));
    expect([...stages]).not.toContain('tidy');
  });
});

describe('of what was calculated before a change', () => {
  const databases = sqliteFiles();

  test('what another month still needs stays, and that month can be proved and signed as it was', async () => {
    const shop = await shopOn(databases);
    await shop.closeBy(OLD, '2026-09');
    await shop.closeBy(OLD, '2026-10');
    const september = await shop.files('2026-09');
    await shop.closeBy(NEW, '2026-10');
    const { [OLD]: old } = await keptIn(shop);
    expect(old).toMatchObject({ unnamed: 0 });
    expect(old?.all).toBeGreaterThan(4);

    const into = join(shop.folder, 'again');
    const audited = await shop.withPorts(OLD, (ports) => auditPack.run(ports, { period: '2026-09', into }));
    expect(audited.differences).toEqual([]);
    await shop.withPorts(OLD, (ports) => sign.run(ports, { period: '2026-09', role: 'preparer', name: 'A' }));
    expect((await shop.files('2026-09')).get('evidence/sales.ndjson.gz')).toEqual(
      september.get('evidence/sales.ndjson.gz'),
    );

    await shop.closeBy(NEW, '2026-09');
    expect((await keptIn(shop))[OLD]?.all).toBe(0);
  });

  test('a locked month is closed again to the same bytes, and keeps what it was calculated with', async () => {
    const shop = await shopOn(databases);
    await shop.closeBy(OLD, '2026-09');
    await shop.withPorts(OLD, (ports) =>
      lock.run({ ...ports }, { period: '2026-09', who: 'A', openExceptions: 'known' }),
    );
    const filed = await shop.files('2026-09');
    await shop.closeBy(NEW, '2026-10');
    await shop.closeBy(NEW, '2026-09');
    expect(await shop.files('2026-09')).toEqual(filed);
    expect((await keptIn(shop))[OLD]?.all).toBeGreaterThan(4);
  });

  test('a backfill looks once, after its last month', async () => {
    const shop = await shopOn(databases);
    const started: string[] = [];
    const backfill = (service: string) =>
      shop.withPorts(service, (ports) =>
        historicalBackfill.run(
          { ...ports, progress: { ...silentProgress, started: (stage: string) => started.push(stage) } },
          { period: '2026-09..2026-10' },
        ),
      );
    await backfill(OLD);
    await backfill(NEW);
    expect(started.filter((stage) => stage === 'tidy')).toHaveLength(1);
    expect((await keptIn(shop))[OLD]?.all).toBe(0);
  });
});
