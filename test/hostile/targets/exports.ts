import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { REJECT_COLUMNS } from '../../../src/sales/table-row.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inFolder, inTime } from '../fuzz-target.ts';
import { hostileFile } from '../mutate-file.ts';
import { seeded } from '../random.ts';
import { tryFile } from '../try-file.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url);
const BYTES_MAX = 8_000;

const cutAtLine = (bytes: Buffer): Buffer =>
  bytes.length <= BYTES_MAX ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n', BYTES_MAX) + 1);

const sampleExports = async (): Promise<readonly Buffer[]> => {
  const paths = (await readdir(SAMPLES, { recursive: true })).filter((path) => path.endsWith('.csv')).sort();
  return Promise.all(paths.map(async (path) => cutAtLine(await readFile(new URL(path, SAMPLES)))));
};

const tried = async (folder: string, name: string, bytes: Buffer): Promise<void> => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  await inTime(tryFile(path, bytes));
  await rm(path);
};

/** Exports of every kind: each is refused clearly, or every one of its rows is accounted for. */
export const exports: FuzzTarget = {
  name: 'exports',
  share: 40,
  open: async () => {
    const bases = await sampleExports();
    const given = fc.record({ base: fc.nat({ max: bases.length - 1 }), seed: fc.nat() });
    return inFolder((folder) =>
      fuzzRun(given, async ({ base, seed }) => {
        const { name, bytes } = await hostileFile('export', bases[base] ?? Buffer.alloc(0), seeded(seed));
        await tried(folder, name, bytes);
      }),
    );
  },
};

/** Repaired reject files: they name rows of other files, and may lie. */
export const rejectFiles: FuzzTarget = {
  name: 'reject files',
  share: 40,
  open: async () => {
    const [header = '', ...rows] = (
      await readFile(new URL('harbor-and-pine/orders_export.csv', SAMPLES), 'utf8')
    ).split('\n', 6);
    const place = (line: number) =>
      `orders.csv,${'a'.repeat(64)},${line},#${line},no-date,it has no date,Paid at,x`;
    const text = [
      `${REJECT_COLUMNS.join()},${header}`,
      ...rows.map((row, index) => `${place(index + 2)},${row}`),
      '',
    ].join('\n');
    return inFolder((folder) => fuzzRun(damagedText(text), (bytes) => tried(folder, 'rejects.csv', bytes)));
  },
};
