import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { knownProfiles } from '../../../../src/close/sales/load-profiles.ts';
import { isSalesProfile } from '../../../../src/close/sales/shipped-profiles.ts';
import { type Random, seeded } from '../../../hostile/random.ts';
import { runs } from '../../../support/runs.ts';
import { readAgain } from './read-again.ts';

const SAMPLES = fileURLToPath(new URL('../../../../samples/exports/', import.meta.url));

/** `READ_AGAIN=1-200` for two hundred histories of each export. */
const [first = 1, last = first] = (process.env['READ_AGAIN'] ?? '1').split('-').map(Number);
const SEEDS = Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Exports of sales whose records have one place each, and others, of which everything is read. */
const { profiles } = knownProfiles(undefined, (path) => path);
const SALES_PROFILES = readdirSync(SAMPLES).filter((name) =>
  profiles.some((profile) => profile.id === name && isSalesProfile(profile)),
);
/** The fast tier tries some of them. */
const PROFILES = SALES_PROFILES.slice(0, runs(SALES_PROFILES.length));

const textOf = (profile: string): string => {
  const [name = ''] = readdirSync(join(SAMPLES, profile)).filter((file) => file.endsWith('.csv'));
  return readFileSync(join(SAMPLES, profile, name), 'utf8');
};

type Change = (rows: readonly string[], random: Random) => readonly string[];

const withRow = (rows: readonly string[], at: number, ...row: readonly string[]): readonly string[] => [
  ...rows.slice(0, at),
  ...row,
  ...rows.slice(at + 1),
];

/** One character in another form: a digit mostly, so that ids, days and amounts change. */
const changed = (row: string, random: Random): string => {
  const digits = [...row.matchAll(/\d/g)].map(({ index }) => index);
  if (digits.length === 0) return `${row}7`;
  const at = random.pick(digits);
  return `${row.slice(0, at)}${random.below(10)}${row.slice(at + 1)}`;
};

const oneRow =
  (make: (row: string, random: Random, rows: readonly string[]) => readonly string[]): Change =>
  (rows, random) => {
    const at = random.below(rows.length);
    return withRow(rows, at, ...make(rows[at] ?? '', random, rows));
  };

const anotherValue: Change = oneRow((row, random) => [changed(row, random)]);
const anotherWord: Change = oneRow((row) => [row.replace(/[a-z]{3}(?=[a-z,"])/, 'new')]);

const CHANGES: readonly Change[] = [
  ...[anotherValue, anotherValue, anotherValue, anotherWord, anotherWord, anotherWord, anotherWord],
  oneRow((row) => [row.replace(/,[^,]*,/, ',,')]),
  oneRow((row, random) => [row, changed(row, random)]),
  oneRow((row) => [row, row]),
  oneRow(() => []),
  oneRow((_row, random, rows) => [random.pick(rows)]),
  oneRow((row) => [row, '']),
  oneRow((row) => [`${row},"one more\ncell"`]),
  oneRow((row, random) => [random.below(4) === 0 ? `"${row}` : `${row} `]),
  (rows, random) => [...rows, changed(random.pick(rows), random)],
  (rows, random) => [changed(random.pick(rows), random), ...rows],
  (rows, random) => {
    const [one, other] = [random.below(rows.length), random.below(rows.length)];
    return withRow(withRow(rows, one, rows[other] ?? ''), other, rows[one] ?? '');
  },
];

/** A shop with many more records than the sample: its rows again and again, with another number for each digit of their ids. */
const manyRows = (text: string): { readonly head: string; readonly rows: readonly string[] } => {
  const [head = '', ...rows] = text.trimEnd().split('\n');
  const copies = Math.ceil(40 / rows.length);
  const more = Array.from({ length: copies }, (_, copy) =>
    rows.map((row) => row.replaceAll(/(?<=[#A-Z-]|\d{4})\d{2,}(?=[,"])/g, (id) => `${copy}${id}`)),
  );
  return { head, rows: more.flat() };
};

const FORMS = [
  (text: string) => text,
  (text: string) => text.replaceAll('\n', '\r\n'),
  (text: string) => `\uFEFF${text}`,
  (text: string) => text.replaceAll('\n', '\r'),
];

const LOADS = 4;

describe.for(PROFILES)('%s', (profile) => {
  test.for(SEEDS)('a changed export leaves what reading all of it leaves (%i)', async (seed) => {
    const random = seeded(seed * 7919 + profile.length);
    const { head, rows } = manyRows(textOf(profile));
    const form = random.pick(FORMS);
    const shop = await readAgain('[{ name: shop, files: ["sales*.csv"] }]', 2 + random.below(4));
    let now = rows;
    for (let load = 0; load < LOADS; load += 1) {
      const content = form(`${[head, ...now].join('\n')}\n`);
      await shop.write('sales.csv', content);
      const { inParts, inShares, fromEndToEnd, blocks } = await shop.read();
      expect(inParts.said).toEqual(fromEndToEnd.said);
      expect(inShares.said).toEqual(fromEndToEnd.said);
      // What a reading leaves that was stopped depends on where it was.
      if (inParts.said.startsWith('E_')) break;
      expect(inParts.left).toEqual(fromEndToEnd.left);
      expect(inShares.left).toEqual(fromEndToEnd.left);
      expect(blocks.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(Buffer.byteLength(content));
      now = random.pick(CHANGES)(now, random);
      if (random.below(4) === 0) now = random.pick(CHANGES)(now, random);
    }
    await shop.end();
  });
});
