import type { BoundaryRecord } from '../boundaries/boundary-record.ts';
import { OPEN_END } from '../dated.ts';
import type { TextRow } from './table-rows.ts';

/** The days that a file is for; the last one is `OPEN_END` where it does not say for how long its rates hold. */
export type FilePeriod = { readonly label: string; readonly first: string; readonly last: string };

/** A part of a row that a file replaces. */
export type Replaced = {
  /** The days, both included; an empty first day is all days before. */
  readonly from: string;
  readonly to: string;
  /** The row of the file whose area is replaced; absent where the file speaks for the whole row. */
  readonly by?: TextRow;
};

/** What a file replaces that speaks for a row from a day on; an empty day is all days. */
export const replacedFrom = (from: string): readonly Replaced[] => [{ from, to: OPEN_END }];

/** The content of an official file, as rows of content tables. */
export type ParsedFile = {
  /** The name of its layout. */
  readonly kind: string;
  /** Postal code; empty for a neutral file, which can name several. */
  readonly state: string;
  readonly period: FilePeriod | undefined;
  /** Rows of data that were read. */
  readonly rows: number;
  readonly stateRates: readonly TextRow[];
  readonly localRates: readonly TextRow[];
  /** The records of a boundary file, in batches; each call starts from the first. */
  readonly boundaries?: () => AsyncIterable<readonly BoundaryRecord[]>;
  /** The first day of the records of a boundary file. */
  readonly boundariesSince?: string;
  /** List the parts of a row of the content that the file replaces; none of a row that the file does not concern. */
  readonly replaces: (row: TextRow) => readonly Replaced[];
  /** Whether the file shows a row that it does not replace to be in force still, on its first day. */
  readonly confirms?: (row: TextRow) => boolean;
  readonly warnings: readonly string[];
};
