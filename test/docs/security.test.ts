import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

type Row = {
  readonly threat: string;
  readonly guard: string;
  readonly place: string;
  readonly proof: string;
};

const rows: readonly Row[] = read('docs/security.md')
  .split('\n')
  .filter((line) => /^\|.*\| (?:src|docs|package)[\w/.-]+ +\|/.test(line))
  .map((line) => {
    const [, threat = '', guard = '', place = '', proof = ''] = line.split('|').map((cell) => cell.trim());
    return { threat, guard, place, proof };
  });

test('docs/security.md names for every threat the file of its guard, and a test by its words', () => {
  expect(rows.length).toBeGreaterThan(30);
  for (const { threat, place, proof } of rows) {
    const [file = '', words = ''] = proof.split(/: (.*)/);
    expect([threat, place, existsSync(new URL(place, root))]).toEqual([threat, place, true]);
    expect([threat, file, existsSync(new URL(file, root))]).toEqual([threat, file, true]);
    expect(words.length, threat).toBeGreaterThan(5);
    expect(read(file), threat).toContain(words);
  }
});
