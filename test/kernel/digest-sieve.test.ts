import { expect, test } from 'vitest';
import { sha256 } from '../../src/kernel/digest.ts';
import { digestSieve } from '../../src/kernel/digest-sieve.ts';

test('every digest that was added is known, and a stranger is not', () => {
  const sieve = digestSieve();
  const digests = Array.from({ length: 20_000 }, (_, index) => sha256(`added ${index}`));
  for (const digest of digests) sieve.add(digest);
  expect(digests.filter((digest) => !sieve.has(digest))).toEqual([]);
  const strangers = Array.from({ length: 20_000 }, (_, index) => sha256(`stranger ${index}`));
  expect(strangers.filter((digest) => sieve.has(digest))).toEqual([]);
});
