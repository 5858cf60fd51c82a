import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingFrom } from '../../scripts/complete-lock.ts';

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Parameters<typeof missingFrom>[0];
};

test('the lock holds every package for every platform, so that npm ci takes it (npm run lock completes it)', () => {
  expect([...missingFrom(lock.packages).keys()]).toEqual([]);
});
