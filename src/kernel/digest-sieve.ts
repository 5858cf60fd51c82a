/**
 * Remembers digests in a bounded memory of 32 MB, however many there are. One that was added is always known; of
 * strangers, after a million, one of hundreds of millions is taken for known too.
 */
export type DigestSieve = {
  readonly add: (digest: string) => void;
  readonly has: (digest: string) => boolean;
};

/** Seven hexadecimal digits name a bit, and each digest has four of them: a digest is as random as a hash of itself. */
const DIGITS = 7;
const BITS_PER_DIGEST = 4;
const BYTES = 16 ** DIGITS / 8;

/** Of SHA-256 in hexadecimal. */
export const digestSieve = (): DigestSieve => {
  const bytes = new Uint8Array(BYTES);
  return {
    add: (digest) => {
      for (const bit of bitsOf(digest)) bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
    has: (digest) => bitsOf(digest).every((bit) => ((bytes[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0),
  };
};

const bitsOf = (digest: string): readonly number[] =>
  Array.from({ length: BITS_PER_DIGEST }, (_, index) =>
    Number.parseInt(digest.slice(index * DIGITS, (index + 1) * DIGITS), 16),
  );
