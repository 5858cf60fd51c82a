import { cp, mkdtemp, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, type Json, sha256 } from '../../src/kernel/json.ts';
import { month } from '../support/month.ts';
import { sampleMerchant, temporaryFolder, tieout } from '../support/tieout.ts';

const PERIOD = join('harbor-and-pine', '2026-10');

/** As much of a manifest as is changed or compared here. */
type Manifest = {
  readonly content: {
    readonly leaves: {
      readonly states: { readonly state: string }[];
      readonly reasons: readonly object[];
    };
    readonly logs: readonly { readonly path: string }[];
    readonly outputs: readonly { readonly path: string }[];
  };
  readonly contentDigest: string;
};

type Verified = { readonly verdicts: readonly { readonly problem?: string }[] };

const verdictsOf = async (folder: string): Promise<Verified['verdicts']> => {
  const { code, stdout } = await tieout(['verify', folder, '--json']);
  const { holds, periods } = JSON.parse(stdout) as { holds: boolean; periods: readonly Verified[] };
  const verdicts = periods.flatMap((period) => period.verdicts);
  const hasHeld = verdicts.every(({ problem }) => problem === undefined);
  expect([holds, code]).toEqual([hasHeld, hasHeld ? 0 : 1]);
  return verdicts;
};

/** Why the folder does not hold; empty when it does. */
const problemOf = async (folder: string): Promise<string> =>
  (await verdictsOf(folder)).map(({ problem }) => problem ?? '').join('');

describe('the evidence of a closed period', () => {
  let published: string;

  beforeAll(async () => {
    published = await mkdtemp(join(tmpdir(), 'tieout-evidence-'));
    const merchant = await sampleMerchant(published);
    await merchant.close(['2026-09']);
    const closed = await merchant.close();
    expect(closed.stderr).toBe('');
  });
  afterAll(() => rm(published, { recursive: true, force: true }));

  const copied = async (): Promise<{
    readonly all: string;
    readonly month: string;
  }> => {
    const all = await temporaryFolder();
    await cp(join(published, 'output'), all, { recursive: true });
    return { all: join(all, 'harbor-and-pine'), month: join(all, PERIOD) };
  };

  const readManifest = async (month: string): Promise<Manifest> =>
    JSON.parse(await readFile(join(month, 'evidence/manifest.json'), 'utf8')) as Manifest;

  /** Write a manifest whose own digest is right: only recomputing can tell that it lies. */
  const forge = async (month: string, change: (manifest: Manifest) => void): Promise<void> => {
    const manifest = await readManifest(month);
    change(manifest);
    const forged = { ...manifest, contentDigest: digestOf(manifest.content as unknown as Json) };
    await writeFile(join(month, 'evidence/manifest.json'), `${JSON.stringify(forged, null, 2)}\n`);
  };

  /** Rewrite a log and name its new hash in the manifest, as somebody with time would. */
  const forgeLog = async (month: string, name: string, change: (text: string) => string): Promise<void> => {
    const path = `evidence/${name}.ndjson.gz`;
    const before = gunzipSync(await readFile(join(month, path))).toString();
    const after = change(before);
    expect(after).not.toBe(before);
    const bytes = gzipSync(after);
    await writeFile(join(month, path), bytes);
    await forge(month, ({ content }) => {
      const log = content.logs.find((each) => each.path === path);
      Object.assign(log ?? {}, { bytes: bytes.length, sha256: sha256(bytes) });
    });
  };

  test('holds as it was written, and on a copy elsewhere', async () => {
    const { month } = await copied();
    expect(await problemOf(month)).toBe('');
    expect(await verdictsOf(month)).toHaveLength(6);
  });

  test.for([
    [
      'a missing file',
      (month: string) => unlink(join(month, 'filing-summary.xlsx')),
      'filing-summary.xlsx is missing',
    ],
    [
      'a manifest that names a file outside',
      (month: string) =>
        forge(month, ({ content }) => {
          Object.assign(content.outputs[0] ?? {}, { path: '../2026-09/variance.xlsx' });
        }),
      'must stay inside',
    ],
    [
      'a folder behind a link that leads out',
      async (month: string) => {
        await rm(join(month, 'evidence'), { recursive: true });
        await symlink(join(published, 'output', PERIOD, 'evidence'), join(month, 'evidence'));
      },
      'evidence is a link or a device',
    ],
  ] as const)('%s is named', async ([, damage, problem]) => {
    const { month } = await copied();
    await damage(month);
    expect(await problemOf(month)).toContain(problem);
  });

  test.for([
    [
      'a figure of a state',
      (month: string) =>
        forge(month, ({ content }) => {
          const state = content.leaves.states.find((each) => each.state === 'CA');
          Object.assign(state ?? {}, { collected: 100 });
        }),
      '.collected comes to',
    ],
    [
      'a log that is none',
      (month: string) => forgeLog(month, 'entries', () => '[]\n{'),
      'the last line has no end',
    ],
    [
      'a figure of another build',
      (month: string) =>
        forge(month, ({ content }) => {
          Object.assign(content, { build: 'a'.repeat(64) });
          Object.assign(content.leaves.reasons[0] ?? {}, { over: 999 });
        }),
      ': check it with that one too)',
    ],
    [
      'the tax that a sale collected',
      (month: string) =>
        forgeLog(month, 'entries', (text) => text.replace(/"salesTax":(\d+)/, '"salesTax":1$1')),
      'its jurisdictions do not add up to its collected tax',
    ],
  ] as const)('%s does not recompute, although every hash was made to fit', async ([, damage, problem]) => {
    const { month } = await copied();
    await damage(month);
    expect(await problemOf(month)).toContain(problem);
  });

  test('an earlier period that was changed breaks the chain of the next', async () => {
    const { all } = await copied();
    await forge(join(all, '2026-09'), ({ content }) => {
      Object.assign(content, { seller: 'Somebody else' });
    });
    expect(await problemOf(join(all, '2026-09'))).toContain('seller comes to');
    expect(await problemOf(join(all, '2026-10'))).toContain('2026-09 is not what this period was built on');
  });

  test('a signature that comes later breaks nothing', async () => {
    const shop = await month({ orders: [{ name: '#1', at: '2026-09-10' }, { name: '#2' }] });
    await shop.told(0, 'close', '2026-09');
    await shop.told(0, 'close', '2026-10');
    const before = await shop.files();
    await shop.told(0, 'sign', '2026-09', '--as', 'Dana Reyes', '--role', 'preparer');
    expect([await problemOf(shop.out('2026-09')), await problemOf(shop.out())]).toEqual(['', '']);
    await shop.close();
    expect(await shop.files()).toEqual(before);
  });

  test('the command says it for all periods of an entity, and its exit code too', async () => {
    const { all, month } = await copied();
    const whole = await tieout(['verify', all]);
    expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: '' });
    expect(whole.stdout).toContain('harbor-and-pine 2026-09 holds');
    expect(whole.stdout).toContain('harbor-and-pine 2026-10 holds; not signed, not locked; content ');
    expect(whole.stdout.match(/ok {2}the manifest is intact; no one has signed it/g)).toHaveLength(2);
    expect(whole.stdout.match(/ok {2}there is no period before/g)).toHaveLength(1);
    expect(whole.stdout).toContain('ok  the period before is the one that this one was built on');
    expect(whole.stdout).toMatch(
      /\n\nThe exports themselves are not checked here: compare their SHA-256 with the manifest \(docs\/auditors\.md\)\n$/,
    );
    await writeFile(join(month, 'variance.xlsx'), 'x');
    const broken = await tieout(['verify', month, '--json']);
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.stdout)).toMatchObject({
      holds: false,
      periods: [
        { period: '2026-10', verdicts: [{ problem: expect.stringContaining('variance.xlsx has 1 bytes') }] },
      ],
    });
    await unlink(join(month, 'evidence/manifest.json'));
    for (const nowhere of [month, join(all, 'nothing')]) {
      const { code, stderr } = await tieout(['verify', nowhere]);
      expect([code, stderr]).toEqual([65, expect.stringContaining('E_EVIDENCE_MISSING')]);
    }
  });
});
