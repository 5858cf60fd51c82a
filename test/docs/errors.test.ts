import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const TABLE = fileURLToPath(new URL('../../docs/errors.md', import.meta.url));

const codesInSource = (): readonly string[] => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(ts|js)$/.test(path),
  );
  const codes = files.flatMap(
    (path) => readFileSync(join(SRC, path), 'utf8').match(/\bE_[A-Z][A-Z_]*[A-Z]\b/g) ?? [],
  );
  return [...new Set(codes)].sort();
};

describe('docs/errors.md', () => {
  test('lists every error code of the source, and no other', () => {
    const rows = readFileSync(TABLE, 'utf8').matchAll(/^\| (E_[A-Z_]+) +\| \d+ +\| \S/gm);
    expect([...rows].map(([, code]) => code)).toEqual(codesInSource());
  });
});
