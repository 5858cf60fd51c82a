import { readFileSync, writeFileSync } from 'node:fs';
import type { Random } from '../hostile/random.ts';

const PAGE = 4096;

/** What a disk does to a file: a name, and the bytes that are left of it. */
export const DAMAGES: Readonly<Record<string, (bytes: Buffer, random: Random) => Buffer>> = {
  'flips a bit': (bytes, random) => flipped(bytes, random, 1),
  'flips sixty-four bits': (bytes, random) => flipped(bytes, random, 64),
  'flips a bit of the header': (bytes, random) => {
    const at = random.below(100);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    return bytes;
  },
  'zeros the header': (bytes) => bytes.fill(0, 0, 100),
  'zeros the first page': (bytes) => bytes.fill(0, 0, PAGE),
  'zeros a page': (bytes, random) => {
    const page = random.below(bytes.length / PAGE);
    return bytes.fill(0, page * PAGE, (page + 1) * PAGE);
  },
  'overwrites the middle': (bytes, random) => {
    const from = bytes.length >> 1;
    const length = Math.min(5 * PAGE, bytes.length >> 2);
    for (let at = from; at < from + length; at += 1) bytes[at] = random.below(256);
    return bytes;
  },
  'cuts the file within a page': (bytes, random) => bytes.subarray(0, 1 + random.below(bytes.length - 1)),
  'cuts whole pages': (bytes, random) =>
    bytes.subarray(0, PAGE * (1 + random.below(bytes.length / PAGE - 1))),
};

const flipped = (bytes: Buffer, random: Random, count: number): Buffer => {
  for (let bit = 0; bit < count; bit += 1) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return bytes;
};

export const damageFile = (path: string, how: string, random: Random): void => {
  const damage = DAMAGES[how];
  if (!damage) throw new Error(`no damage is called ${how}`);
  writeFileSync(path, damage(readFileSync(path), random));
};
