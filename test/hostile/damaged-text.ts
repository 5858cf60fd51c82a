import fc from 'fast-check';

export const PIECES: readonly string[] = [
  ...'"\',;:\n\r\t\0{}[]|>%-~é😀\uFEFF',
  ...['- ', '&a ', '*a', '!!js/function x', '<<: ', '__proto__', 'constructor', '../', '=1+1', '\uD800'],
  ...['0', '1e999', '-0', 'NaN', 'null', 'true', '99999999999999999999', '2026-02-30', '""', '\r\n'],
  ...[' '.repeat(70), '9'.repeat(400), '[['.repeat(200)],
];

export type Edit = {
  readonly kind: string;
  readonly at: number;
  readonly length: number;
  readonly piece: string;
};

export const EDITS = ['flip', 'insert', 'cut', 'truncate', 'repeat', 'swap'] as const;

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...EDITS),
  at: fc.integer({ min: 0, max: 1_000_000 }),
  length: fc.integer({ min: 1, max: 80 }),
  piece: fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 8 })),
});

/** Damage bytes at one place. */
export const apply = (bytes: Buffer, { kind, at, length, piece }: Edit): Buffer => {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  const before = bytes.subarray(0, place);
  const after = bytes.subarray(place);
  switch (kind) {
    case 'insert':
      return Buffer.concat([before, Buffer.from(piece), after]);
    case 'cut':
      return Buffer.concat([before, after.subarray(length)]);
    case 'truncate':
      return before;
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, length), after]);
    case 'swap':
      return Buffer.concat([
        before,
        after.subarray(length, 2 * length),
        after.subarray(0, length),
        after.subarray(2 * length),
      ]);
    default: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[place] = (copy[place] ?? 0) ^ (1 << (length % 8));
      return copy;
    }
  }
};

/** A text that was damaged in one to four places; what is found wrong shrinks to the fewest edits that do it. */
export const damagedText = (text: string): fc.Arbitrary<Buffer> =>
  fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) => edits.reduce(apply, Buffer.from(text)));
