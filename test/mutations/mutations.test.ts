import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MUTATIONS } from './mutations.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

test.each(MUTATIONS)('the guard to break stands in the code once: $guard', ({ file, from, test: path }) => {
  expect(readFileSync(pathOf(file), 'utf8').split(from)).toHaveLength(2);
  expect(existsSync(pathOf(path))).toBe(true);
});
