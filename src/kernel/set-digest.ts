import { sha256 } from './digest.ts';

/**
 * The digest of a set of texts, added one by one or as the digest of a subset; independent of order and of the
 * division into subsets.
 */
export type SetDigest = {
  readonly add: (text: string) => void;
  readonly join: (digest: string) => void;
  readonly hex: () => string;
};

/** The 256-bit digests are added up modulo 2^256. */
const BITS = 256;

/**
 * Return a digest that shows whether a set is unchanged. It is not secure against a person who chooses the texts; for
 * that, digest them as one text.
 */
export const setDigest = (): SetDigest => {
  let sum = 0n;
  const join = (digest: string): void => {
    sum = BigInt.asUintN(BITS, sum + BigInt(`0x${digest}`));
  };
  return {
    add: (text) => join(sha256(text)),
    join,
    hex: () => sum.toString(16).padStart(BITS / 4, '0'),
  };
};
