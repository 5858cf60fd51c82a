import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import {
  LOCK_FILE,
  type LockLine,
  lineText,
  lockFileText,
  lockLinesIn,
} from '../../../src/evidence/lock-line.ts';
import { contentDigestOf, type Manifest, manifestText } from '../../../src/evidence/manifest.ts';
import { sha256 } from '../../../src/kernel/json.ts';

/** A way to tamper with a pack, and what `verify` is to say about it. */
export type Tampering = readonly [name: string, tamper: (pack: string) => unknown, problem: string];

/** An item that must be there. */
export const at = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
};

export const LOGS = ['entries', 'strays', 'set-aside', 'report'].map((name) => `evidence/${name}.ndjson.gz`);
export const KEYS = 'evidence/keys.bin';
export const UPLOADS = ['upload/WA-Combined-Excise-Return-2026-10.txt'];
export const REJECTS = 'rejects/shopify/orders_export.csv.rejects.csv';
export const OUTPUTS = [
  'variance.xlsx',
  'filing-summary.xlsx',
  'working-papers.xlsx',
  'report.html',
  'open-items.csv',
  ...UPLOADS,
  REJECTS,
];
/** The parts of a workbook with its cells. */
export const SHEETS = /worksheets\/sheet\d+\.xml/;

const MANIFEST = 'evidence/manifest.json';

export const readManifest = async (pack: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(pack, MANIFEST), 'utf8')) as Manifest;

/** What somebody may change who writes every file and has no key. */
export type Forged = { -readonly [Key in keyof Manifest]: Manifest[Key] };

/**
 * Change the manifest and make everything fit that needs no key: sizes, digests and counts of the files, the digest of
 * the content, and the signatures as names under the new manifest.
 */
export const forge = async (pack: string, change: (manifest: Forged) => void = () => {}): Promise<void> => {
  const manifest = (await readManifest(pack)) as Forged;
  for (const file of [...manifest.content.logs, ...manifest.content.outputs]) {
    const bytes = await readFile(join(pack, file.path)).catch(() => undefined);
    if (bytes) Object.assign(file, { bytes: bytes.length, sha256: sha256(bytes) });
    if (bytes && 'records' in file) file.records = countOf(bytes);
  }
  change(manifest);
  const contentDigest = contentDigestOf(manifest.content);
  await writeManifest(pack, { ...manifest, contentDigest });
  const { entity, period } = manifest.content;
  const digest = sha256(manifestText({ ...manifest, contentDigest }));
  await forgeLines(pack, (lines) =>
    lines.map((line) => ({
      ...line,
      ...{ entity, period: period.label, manifest: digest },
      by: { ...line.by, signature: null },
    })),
  );
};

export const writeManifest = (pack: string, manifest: Manifest): Promise<void> =>
  writeFile(join(pack, MANIFEST), manifestText(manifest));

/** Change the lines of signatures and locks; none stay without a file. */
export const forgeLines = async (
  pack: string,
  change: (lines: readonly LockLine[]) => readonly LockLine[],
): Promise<void> => {
  const path = join(pack, LOCK_FILE);
  const before = lockLinesIn(await readFile(path, 'utf8').catch(() => '')) ?? [];
  const after = change(before.map(({ line }) => line)).map((line) => ({ line, text: lineText(line) }));
  if (after.length > 0) await writeFile(path, lockFileText(after));
  else await rm(path, { force: true });
};

const countOf = (bytes: Buffer): number => {
  try {
    return gunzipSync(bytes).toString().split('\n').length - 1;
  } catch {
    return 0;
  }
};

/** Change the lines of a log, and make everything fit. */
export const forgeLog = async (
  pack: string,
  name: string,
  change: (lines: readonly string[]) => readonly string[],
): Promise<void> => {
  const path = join(pack, `evidence/${name}.ndjson.gz`);
  const before = gunzipSync(await readFile(path))
    .toString()
    .split('\n')
    .slice(0, -1);
  const after = change(before);
  if (after.join('\n') === before.join('\n')) throw new Error(`nothing was changed in ${name}`);
  await writeFile(path, gzipSync(after.map((line) => `${line}\n`).join('')));
  await forge(pack);
};

/** Change a file, and make everything fit. */
export const forgeFile = async (
  pack: string,
  path: string,
  change: (bytes: Buffer) => Buffer | Promise<Buffer>,
): Promise<void> => {
  const before = await readFile(join(pack, path));
  const after = await change(before);
  if (after.equals(before)) throw new Error(`nothing was changed in ${path}`);
  await writeFile(join(pack, path), after);
  await forge(pack);
};

/** Replace text in the one part of a workbook that has it and fits, and pack it again. */
export const inWorkbook =
  (part: RegExp, from: string | RegExp, to: string) =>
  async (bytes: Buffer): Promise<Buffer> => {
    const archive = await fromBufferPromise(bytes, { autoClose: false });
    const packed = new ZipFile();
    let isDone = false;
    for await (const entry of archive.eachEntry()) {
      const pieces: Buffer[] = [];
      for await (const piece of await archive.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
      const text = Buffer.concat(pieces);
      const changed = part.test(entry.fileName) ? text.toString().replace(from, to) : '';
      const isHere: boolean = !isDone && changed !== '' && changed !== text.toString();
      isDone ||= isHere;
      packed.addBuffer(isHere ? Buffer.from(changed) : text, entry.fileName);
    }
    packed.end();
    if (!isDone) throw new Error(`no part has ${from}`);
    const pieces: Buffer[] = [];
    for await (const piece of packed.outputStream) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  };

/** Change the bits of one byte of a file. */
export const flip = async (pack: string, path: string, share: number): Promise<void> => {
  const bytes = await readFile(join(pack, path));
  const at = Math.min(bytes.length - 1, Math.floor((await stat(join(pack, path))).size * share));
  bytes[at] = (bytes[at] ?? 0) ^ 0x15;
  await writeFile(join(pack, path), bytes);
};
