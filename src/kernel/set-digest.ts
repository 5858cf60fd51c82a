import { sha256 } from './digest.ts';

/** Of texts that are added one by one, or as the digest of some of them: one digest, whatever their order and their parts. */
export type SetDigest = {
  readonly add: (text: string) => void;
  readonly join: (digest: string) => void;
  readonly hex: () => string;
};

/** Digests of 256 bits are added up, and what is beyond these is dropped. */
const BITS = 256;

/** Tells whether a set is what it was. It proves nothing to somebody who chooses the texts: for that, one text is digested. */
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
