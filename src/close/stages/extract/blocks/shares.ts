import type { TextPart } from '../../../sales/files/table-heads.ts';

/**
 * A share of a part of a file for another thread: the records that begin on these lines, with some text around them.
 */
export type PartShare = {
  /** In the order of the file, from 0. */
  readonly number: number;
  readonly part: TextPart;
  /** As in `Share`. */
  readonly first: number | null;
  readonly last: number | null;
};
