import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/kernel/error-codes.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** The codes that the source has outside of the table of codes. */
const codesInUse = (): readonly string[] => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(ts|js)$/.test(path) && !path.endsWith('error-codes.ts'),
  );
  const codes = files.flatMap(
    (path) => readFileSync(join(SRC, path), 'utf8').match(/\bE_[A-Z][A-Z_]*[A-Z]\b/g) ?? [],
  );
  return [...new Set(codes)].sort();
};

test('the table of errors has every code that is in use, and no other', () => {
  const codes = Object.values(ERRORS).flatMap((group) => Object.keys(group));
  expect(codes.sort()).toEqual(codesInUse());
});
