import { gzipSync } from 'node:zlib';
import { zipOf } from '../sales/files/on-disk.ts';
import { apply, EDITS, PIECES } from './damaged-text.ts';
import type { Random } from './random.ts';

/** A file that somebody, or something, has damaged. */
type HostileFile = {
  readonly name: string;
  readonly bytes: Buffer;
};

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const lines = (bytes: Buffer): string[] => bytes.toString('latin1').split('\n');
const joined = (all: readonly string[]): Buffer => Buffer.from(all.join('\n'), 'latin1');

const damage: Mutation = (bytes, random) =>
  apply(bytes, {
    kind: random.pick(EDITS),
    at: random.below(1_000_000),
    length: 1 + random.below(200),
    piece: random.pick(PIECES),
  });

const shuffle: Mutation = (bytes, random) => {
  const all = lines(bytes);
  for (let index = all.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    const kept = all[index] ?? '';
    all[index] = all[other] ?? '';
    all[other] = kept;
  }
  return joined(all);
};

const repeatRows: Mutation = (bytes, random) => {
  const all = lines(bytes);
  const from = random.below(all.length);
  return joined([...all, ...all.slice(from, from + 1 + random.below(5)), all[0] ?? '', '']);
};

const dropColumn: Mutation = (bytes, random) => {
  const all = lines(bytes);
  const column = random.below((all[0] ?? '').split(',').length);
  const isHeaderToo = random.below(2) === 0;
  return joined(
    all.map((line, index) => {
      if (index === 0 && !isHeaderToo) return line;
      return line
        .split(',')
        .filter((_, place) => place !== column)
        .join(',');
    }),
  );
};

const swapColumnNames: Mutation = (bytes, random) => {
  const [header = '', ...rest] = lines(bytes);
  const names = header.split(',');
  const from = random.below(names.length);
  names[from] = names[random.below(names.length)] ?? '';
  return joined([names.join(','), ...rest]);
};

const otherForm: Mutation = (bytes, random) => {
  const text = bytes.toString('utf8');
  return random.pick([
    () => Buffer.from(text.replaceAll('\n', '\r\n')),
    () => Buffer.from(text.replaceAll('\n', '\r')),
    () => Buffer.from(text.replaceAll(',', ';')),
    () => Buffer.from(text.replaceAll(',', '\t')),
    () => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    () => Buffer.from(text, 'utf16le').swap16(),
    () => Buffer.from(text, 'latin1'),
    () => Buffer.from(`Report\n\n"of sales"\n${text}\n,,,\nTotal,1\n`),
  ])();
};

const wideCell: Mutation = (bytes, random) => {
  const at = random.below(bytes.length);
  const wide = random.pick(['x'.repeat(1_100_000), ','.repeat(3_000), `"${'y\n'.repeat(600_000)}"`]);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(wide), bytes.subarray(at)]);
};

const ROWS = [shuffle, repeatRows, dropColumn, swapColumnNames, otherForm, wideCell];
const MUTATIONS: readonly Mutation[] = [damage, damage, damage, ...ROWS];

const PACKINGS: Readonly<Record<string, (bytes: Buffer, name: string) => Promise<Buffer> | Buffer>> = {
  csv: (bytes) => bytes,
  'csv.gz': (bytes) => gzipSync(bytes),
  zip: (bytes, name) => zipOf({ [`${name}.csv`]: bytes, 'second/other.csv': bytes.subarray(0, 900) }),
};

/** Damage a file in one to three ways; one in five is packed first, and one in ten is damaged in its packing. */
export const hostileFile = async (name: string, bytes: Buffer, random: Random): Promise<HostileFile> => {
  let damaged = bytes;
  for (let count = 1 + random.below(3); count > 0 && damaged.length > 0; count -= 1)
    damaged = random.pick(MUTATIONS)(damaged, random);
  const packing = random.below(5) === 0 ? random.pick(['csv.gz', 'zip']) : 'csv';
  const packed = (await PACKINGS[packing]?.(damaged, name)) ?? damaged;
  const isDamaged = packing !== 'csv' && random.below(2) === 0;
  return { name: `${name}.${packing}`, bytes: isDamaged ? damage(packed, random) : packed };
};
