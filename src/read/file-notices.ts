import { ExportError } from '../close/sales/export-error.ts';
import type { ReadGroup } from '../close/sales/read-export.ts';
import type { SaleFinding } from '../close/sales/sale.ts';
import { saleOfRecord } from './record-parts.ts';

/** Findings on the last record that show that the rest of a file is missing: too few cells, or missing line items. */
const NOT_WHOLE = new Set(['cell-count', 'lines-differ']);

/**
 * The last record of a part of a file: the line on which it ends, its name, and the finding that shows that it is
 * incomplete.
 */
export type LastRecord = {
  readonly line: number;
  readonly name: string;
  readonly cutOff: SaleFinding | undefined;
};

export const lastRecordOf = ({ group, record }: ReadGroup): LastRecord => {
  const { rows, name } = group;
  const last = rows.at(-1);
  const said = 'outcome' in record ? [record.reason] : (saleOfRecord(record)?.findings ?? []);
  // More cells than the header has are not a sign that something is missing.
  const isLong = last !== undefined && group.kind === 'stray' && last.cells.length >= group.width;
  const cutOff = said.find(({ code }) => NOT_WHOLE.has(code) && !(code === 'cell-count' && isLong));
  return { line: last?.line ?? 0, name, cutOff };
};

/**
 * Returns the notices of a file with the finding on its last record, which replaces the less specific one on a missing
 * line end.
 */
export const endNotices = (
  last: LastRecord | undefined,
  notices: readonly SaleFinding[],
): readonly SaleFinding[] => {
  if (!last?.cutOff) return notices;
  const name = last.name === '' ? '' : ` (${last.name})`;
  const others = notices.filter(({ code }) => code !== 'no-final-line-end');
  const message =
    last.cutOff.code === 'cell-count' && others.length < notices.length
      ? `the file ends in the middle of line ${last.line}${name}: export it again`
      : `the file may be cut off: its last record${name}, which ends on line ${last.line}, is not whole: ${last.cutOff.message}`;
  return [...others, { code: 'cut-off', message }];
};

/** The code of records that fail the arithmetic of their file. */
export const UNEQUAL = 'total-differs';

/** How many records a file has, how many of them do not add up, and what the first of these says. */
export type Arithmetic = { readonly records: number; readonly failed: number; readonly first: string };

/** Fewer records than the first, or than the second where they are few of all, may be wrong by themselves. */
const UNEQUAL_MAX = 20;
const UNEQUAL_FEW = 10;

/**
 * Refuse a file of which too many records do not add up: then it is not written as its profile reads it.
 *
 * @throws {ExportError} E_EXPORT_AMOUNTS
 */
export const refuseUnequal = (
  { records, failed, first }: Arithmetic,
  place: string,
  profile: string,
): void => {
  const isPart = failed >= UNEQUAL_FEW && failed * 100 > records;
  if (failed <= UNEQUAL_MAX && !isPart) return;
  throw new ExportError(
    'E_EXPORT_AMOUNTS',
    place,
    `${failed} of its ${records} records do not add up as ${profile} says, such as this one: ${first}`,
    'Compare the record with the shop. If the file was edited, export it again. If the record is right, write how this file adds up into a profile of your own that extends this one (docs/source-profiles.md, “What a file adds up to”).',
  );
};

/** Returns the finding on a file without rows. */
export const noRowsNotice = (rows: number): readonly SaleFinding[] =>
  rows === 0 ? [{ code: 'no-rows', message: 'it has a header and no rows' }] : [];
