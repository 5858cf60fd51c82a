/** The submission state of a sale: a row of the pages of `submitted`. */
export type SubmittedSale = {
  readonly key: string;
  /** Digest of the body that was sent, or is about to be. `sale` is the digest of its sale. */
  readonly body: string;
  readonly sale: string;
  /** `sending` until the answer is known; `missing` when the service no longer has a record that it held. */
  readonly state: 'sending' | 'held' | 'refused' | 'conflict' | 'missing';
  readonly detail: string;
};
