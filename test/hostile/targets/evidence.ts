import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { LOCK_FILE } from '../../../src/evidence/lock-line.ts';
import { contentDigestOf, type Manifest, manifestText } from '../../../src/evidence/manifest.ts';
import { verifyEvidence } from '../../../src/evidence/verify-evidence.ts';
import { sha256 } from '../../../src/kernel/json.ts';
import { month } from '../../support/month.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inTime } from '../fuzz-target.ts';

const MANIFEST = 'evidence/manifest.json';

/** The published folder of a small month, and its manifest. */
const newPack = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-fuzz-'));
  const shop = await month({ orders: [{ name: '#1' }, { name: '#2', tax: '9.75' }] }, folder);
  await shop.run('close', '2026-10');
  const pack = join(folder, 'pack');
  await cp(shop.out(), pack, { recursive: true });
  const text = await readFile(join(pack, MANIFEST), 'utf8');
  return { pack, text, manifest: JSON.parse(text) as Manifest, close: () => rm(folder, { recursive: true }) };
};

const verify = (pack: string, { content }: Manifest) =>
  inTime(verifyEvidence(pack, { build: content.build }));

/** A damaged manifest, or a damaged log whose hash and size were made to fit: nothing but the figures can tell. */
export const evidence: FuzzTarget = {
  name: 'evidence',
  share: 30,
  open: async () => {
    const { pack, text, manifest, close } = await newPack();
    const names = (await readdir(join(pack, 'evidence'))).filter((name) => name.endsWith('.gz')).sort();
    const logs = await Promise.all(names.map((name) => readFile(join(pack, 'evidence', name))));
    const damaged = fc.oneof(
      damagedText(text).map((bytes) => ({ path: MANIFEST, bytes, packed: bytes, whole: Buffer.from(text) })),
      ...names.map((name, index) => {
        const whole = logs[index] ?? Buffer.alloc(0);
        return damagedText(gunzipSync(whole).toString('utf8')).map((bytes) => ({
          path: `evidence/${name}`,
          bytes,
          packed: gzipSync(bytes),
          whole,
        }));
      }),
    );
    return {
      run: fuzzRun(damaged, async ({ path, packed, whole }) => {
        await writeFile(join(pack, path), packed);
        if (path !== MANIFEST) await writeFile(join(pack, MANIFEST), fitting(manifest, path, packed));
        const { holds, verdicts } = await verify(pack, manifest);
        if (!holds && !verdicts.some(({ problem }) => (problem ?? '').length > 10))
          throw new Error('it does not hold, and does not say why');
        await writeFile(join(pack, path), whole);
        await writeFile(join(pack, MANIFEST), text);
      }),
      close,
    };
  },
};

const fitting = (manifest: Manifest, path: string, packed: Buffer): string => {
  const logs = manifest.content.logs.map((log) =>
    log.path === path ? { ...log, bytes: packed.length, sha256: sha256(packed) } : log,
  );
  const content = { ...manifest.content, logs };
  return manifestText({ ...manifest, content, contentDigest: contentDigestOf(content) });
};

/** Lines of signatures of any form beside a manifest: they hold only when each of them is about it. */
export const signatures: FuzzTarget = {
  name: 'signatures',
  share: 200,
  open: async () => {
    const { pack, text, manifest, close } = await newPack();
    const own = sha256(text);
    const { entity } = manifest.content;
    const line = fc.record(
      {
        entity: fc.constantFrom(entity, 'other'),
        period: fc.oneof({ weight: 4, arbitrary: fc.constant('2026-10') }, fc.string()),
        version: fc.constantFrom(0, 0, 0, 1),
        what: fc.constantFrom('signed', 'locked', 'unlocked', 'seen'),
        folder: fc.string(),
        manifest: fc.oneof(fc.constant(own), fc.constant('a'.repeat(64)), fc.string()),
        by: fc.record({
          name: fc.oneof(fc.string(), fc.constantFrom('Dana', '__proto__', '=1+1')),
          role: fc.string(),
          signature: fc.oneof(fc.constant(null), fc.string()),
        }),
        at: fc.string(),
        why: fc.string(),
        before: fc.constantFrom('', own),
      },
      { requiredKeys: ['entity', 'manifest'] },
    );
    const given = fc.array(fc.oneof({ weight: 4, arbitrary: line }, fc.jsonValue()), { minLength: 1 });
    return {
      run: fuzzRun(given, async (lines) => {
        const texts = lines.map((each) => JSON.stringify(each));
        await writeFile(join(pack, LOCK_FILE), `[\n${texts.join(',\n')}\n]\n`);
        const { holds } = await verify(pack, manifest);
        const areAllOfThis = lines.every(
          (each) => (each as { readonly manifest?: unknown } | null)?.manifest === own,
        );
        if (holds && !areAllOfThis) throw new Error(`it holds under ${texts.join().slice(0, 200)}`);
      }),
      close,
    };
  },
};
