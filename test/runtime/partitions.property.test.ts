import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partitions } from '../../src/runtime/partitions.ts';
import { temporaryFolder } from '../support/tieout.ts';

test('a day has its last items by key, however little of it fits in memory or is read at once', async () => {
  const folder = await temporaryFolder();
  const key = fc.string({
    minLength: 1,
    maxLength: 3,
    unit: fc.constantFrom('a', 'b', '"', '\\', '\t', 'é'),
  });
  const change = fc.record({ day: fc.constantFrom('', '2026-10-01'), key, value: fc.option(fc.nat(9)) });
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 60 }),
      fc.nat(200),
      fc.integer({ min: 1, max: 200 }),
      (changes, held, part) => {
        const store = partitions<{ readonly key: string; readonly value: number }>(
          join(folder, 'store'),
          held,
          part,
        );
        const wanted = new Map<string, number>();
        for (const { day, key, value } of changes) {
          if (value === null) store.drop(day, key);
          else store.add(day, { key, value });
          if (day !== '' && value === null) wanted.delete(key);
          else if (day !== '' && value !== null) wanted.set(key, value);
        }
        const read = store.read('2026-10-01');
        expect(new Map(read.map(({ key, value }) => [key, value]))).toEqual(wanted);
        expect([...store.parts('2026-10-01')].flat()).toEqual(read);
        const plain: typeof store = partitions(join(folder, 'plain'), held, part);
        for (const one of read) plain.add('2026-10-01', one);
        expect([...plain.pages()].flat()).toEqual(read);
        store.end();
      },
    ),
  );
});
