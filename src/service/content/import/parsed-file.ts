import type { BoundaryRecord } from '../boundaries/boundary-record.ts';
import { ContentRefusedError } from '../content-error.ts';
import type { TextRow } from './table-rows.ts';

export type FileKind =
  | 'sst-rates'
  | 'sst-boundary'
  | 'cdtfa'
  | 'texas'
  | 'illinois'
  | 'illinois-grocery'
  | 'washington-rates'
  | 'washington-zip4'
  | 'alabama'
  | 'arizona'
  | 'colorado'
  | 'missouri'
  | 'new-mexico'
  | 'neutral';

/** The days that a file is for; the last one is `OPEN_END` where it does not say for how long its rates hold. */
export type FilePeriod = { readonly label: string; readonly first: string; readonly last: string };

/** The content of an official file, as rows of content tables. */
export type ParsedFile = {
  readonly kind: FileKind;
  /** Postal code; empty for a neutral file, which can name several. */
  readonly state: string;
  readonly period: FilePeriod | undefined;
  /** Rows of data that were read. */
  readonly rows: number;
  readonly stateRates: readonly TextRow[];
  readonly localRates: readonly TextRow[];
  /** The records of a boundary file, in batches; each call starts from the first. */
  readonly boundaries?: () => AsyncIterable<readonly BoundaryRecord[]>;
  /**
   * Return the day from which the file replaces a row of the content: a day, empty for all days, `undefined` for a row
   * that the file does not concern.
   */
  readonly replacesFrom: (row: TextRow) => string | undefined;
  /** Whether the file shows a row that it does not replace to be in force still, on its first day. */
  readonly confirms?: (row: TextRow) => boolean;
  readonly warnings: readonly string[];
};

/** Return a file of one state's local rates, which replace the general ones of the content from its first day on. */
export const generalRates = (
  state: string,
  file: Pick<ParsedFile, 'kind' | 'rows' | 'localRates' | 'warnings'> & { readonly period: FilePeriod },
): ParsedFile => ({
  ...file,
  state,
  stateRates: [],
  replacesFrom: (row) => (row['state'] === state && row['tax'] === 'general' ? file.period.first : undefined),
});

export const missingCounties = (file: string, found: number, all: number): ContentRefusedError =>
  new ContentRefusedError(file, `it has ${found} of ${all} counties: it is not complete`);

/** Return the warning about a city or county that the content does not have. */
export const unknownPlace = (name: string): string =>
  `${name} is not a place of the content: its tax is kept, and not applied.`;
