import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { hostileFile } from './mutate-file.ts';
import { seeded } from './random.ts';
import { tryFile } from './try-file.ts';
import { tryLedger } from './try-ledger.ts';
import { zipOf } from './zip-of.ts';

/** `npm run hostile [files] [seed]`: damaged files, bombs and a line of one gigabyte, and what became of each. */
const [count = 2_000, firstSeed = 1] = process.argv.slice(2).map(Number);
const GB = 1024 ** 3;
const SAMPLES = new URL('../../samples/', import.meta.url);
const BASE_BYTES_MAX = 30_000;

const folder = await mkdtemp(join(tmpdir(), 'tieout-hostile-'));
const verdicts = new Map<string, number>();
const failures: string[] = [];
let rows = 0;
let rejected = 0;

/** The samples, cut at the end of a line: what a mutator does to a long file it does to a short one. */
const bases = async (): Promise<readonly (readonly [name: string, bytes: Buffer])[]> => {
  const found: (readonly [string, Buffer])[] = [];
  for (const path of await readdir(SAMPLES, { recursive: true })) {
    if (!path.endsWith('.csv')) continue;
    const bytes = await readFile(new URL(path, SAMPLES));
    const end = bytes.length <= BASE_BYTES_MAX ? bytes.length : bytes.lastIndexOf('\n', BASE_BYTES_MAX) + 1;
    found.push([path.replace(/\W+/g, '-').replace(/-csv$/, ''), bytes.subarray(0, end)]);
  }
  return found.sort(([left], [right]) => (left < right ? -1 : 1));
};

const judge = async (name: string, what: string, bytes: Buffer | undefined): Promise<void> => {
  const path = join(folder, name);
  if (bytes) await writeFile(path, bytes);
  try {
    for (const verdict of await tryFile(path, bytes ?? Buffer.alloc(0))) {
      const key =
        verdict.kind === 'read' ? (verdict.rejected > 0 ? 'read, with rejects' : 'read') : verdict.code;
      verdicts.set(key, (verdicts.get(key) ?? 0) + 1);
      if (verdict.kind === 'read') {
        rows += verdict.rows;
        rejected += verdict.rejected;
      }
    }
    for (const verdict of await tryLedger(path)) {
      const key = verdict.kind === 'read' ? 'read as a ledger' : `${verdict.code} as a ledger`;
      verdicts.set(key, (verdicts.get(key) ?? 0) + 1);
    }
    await rm(path);
  } catch (error) {
    failures.push(`${path} (${what}): ${(error as Error).stack?.split('\n').slice(0, 3).join(' ')}`);
  }
};

function* sameBytes(total: number, text: string): Generator<Buffer> {
  const piece = Buffer.alloc(1024 * 1024, text);
  for (let written = 0; written < total; written += piece.length) yield piece;
}

const started = performance.now();
const files = await bases();
for (let index = 0; index < count; index += 1) {
  const random = seeded(firstSeed + index);
  const [name, bytes] = random.pick(files);
  const hostile = await hostileFile(`${index}-${name}`, bytes, random);
  await judge(hostile.name, hostile.what, hostile.bytes);
}
const bombs = performance.now();
await judge(
  'bomb.zip',
  'a ZIP bomb',
  await zipOf({ 'orders.csv': Buffer.alloc(512 * 1024 * 1024, 'a,b\n') }),
);
await pipeline(
  Readable.from(sameBytes(4 * GB, 'a,b\n')),
  createGzip(),
  createWriteStream(join(folder, 'bomb.csv.gz')),
);
await judge('bomb.csv.gz', 'a gzip bomb', undefined);
await pipeline(Readable.from(sameBytes(GB, 'a')), createWriteStream(join(folder, 'line.csv')));
const line = performance.now();
await judge('line.csv', 'one line of a gigabyte', undefined);
const ended = performance.now();

process.stdout.write(
  `${JSON.stringify(
    {
      files: count,
      firstSeed,
      bases: files.length,
      seconds: Math.round((bombs - started) / 1000),
      lineOfOneGigabyteMs: Math.round(ended - line),
      rows,
      rejected,
      verdicts: Object.fromEntries([...verdicts].sort()),
      failures,
      peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
    },
    null,
    2,
  )}\n`,
);
if (failures.length === 0) await rm(folder, { recursive: true, force: true });
process.exitCode = failures.length === 0 ? 0 : 1;
