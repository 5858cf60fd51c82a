import type { Detected } from './detect-profile.ts';
import type { TextPart } from './files/table-heads.ts';
import type { TableRow } from './files/table-row.ts';
import { type RowGroup, rowGrouper } from './group-rows.ts';
import { proveAmounts } from './normal/prove-amounts.ts';
import { proveDates } from './normal/prove-dates.ts';
import type { SalesProfile } from './profile.ts';
import { type ReadRecord, type SaleContext, saleReader } from './read-sale.ts';
import type { SaleFinding, SetAside } from './sale.ts';

/** A record with the rows it was read from. */
export type ReadGroup = { readonly group: RowGroup; readonly record: ReadRecord };

export type ReadingOptions = {
  /** A part of the file; the whole file if absent. */
  readonly part?: TextPart | undefined;
  /** Number of records per batch; it may be exceeded slightly, and the last batch may have fewer. */
  readonly batchSize: number;
  /**
   * Called with every row below the header as it is read. When a batch is yielded, these are the rows of that batch and
   * of all earlier ones.
   */
  readonly onRow?: (row: TableRow) => void;
  /** For a part read with surrounding text: selects the records that begin in it; all records if absent. */
  readonly share?: Share;
};

/**
 * The records that begin on these lines. Where its records begin and end shows whether the shares of a file fit
 * together, so that every row is in exactly one of them.
 */
export type Share = {
  /** `undefined` for the first share. */
  readonly first: number | undefined;
  /** The line after the share; `undefined` for the last share. */
  readonly last: number | undefined;
  /** Set while reading: the lines where the first record of the share, and the first one after it, begin. */
  begins?: number | undefined;
  ends?: number | undefined;
};

/** Note that a record begins on a line; return whether it is in the share. */
const noteBegin = (share: Share, line: number): boolean => {
  const { first = 0, last = Number.POSITIVE_INFINITY } = share;
  if (line < first) return false;
  if (line >= last) share.ends = line;
  else share.begins ??= line;
  return line < last;
};

/**
 * Read the records of an export in order, in batches. Every row below the header is in exactly one record: footers and
 * repeated headers are ignored records of their own.
 *
 * @param profile with the date and amount formats already proved
 */
export async function* readExport(
  { header, rows, framingOf }: Detected,
  profile: SalesProfile,
  context: SaleContext,
  { part, batchSize, onRow, share }: ReadingOptions,
): AsyncGenerator<readonly ReadGroup[]> {
  const reader = saleReader(profile, header, context);
  let batch: ReadGroup[] = [];
  let framing: ReadGroup[] = [];
  const addFraming = (): void => {
    if (framing.length === 0) return;
    batch.push(...framing);
    framing = [];
  };
  const grouper = rowGrouper(
    header.length,
    profile.shape,
    profile.map.line?.present,
    reader.cells,
    (group) => {
      if (isWanted) batch.push({ group, record: reader.read(group) });
      addFraming();
    },
  );
  let isWanted = share?.first === undefined;
  for await (const some of rows(part)) {
    for (const row of some) {
      const reason = framingOf(row);
      if (!reason && grouper.add(row)) {
        if (share) isWanted = noteBegin(share, row.line);
        if (batch.length >= batchSize) {
          yield batch;
          batch = [];
        }
      }
      if (share?.ends !== undefined) break;
      if (!isWanted) continue;
      if (reason) framing.push(framingGroup(row, reason, context.file));
      onRow?.(row);
    }
    if (share?.ends !== undefined) break;
  }
  grouper.end();
  addFraming();
  if (batch.length > 0) yield batch;
}

/**
 * Return the profile with the formats of dates and amounts that the file's own values prove.
 *
 * @param tell called with how they are proved, if another format was possible
 * @throws {ExportError} E_EXPORT_DATES or E_EXPORT_AMOUNTS when they prove none, or contradict the profile
 */
export const provenProfile = async (
  profile: SalesProfile,
  read: Pick<Detected, 'header' | 'rows' | 'delimiter'>,
  file: string,
  tell: (remark: SaleFinding) => void = () => {},
): Promise<SalesProfile> => {
  const { header, rows } = read;
  const date = await proveDates(profile, read, file, tell);
  const { decimal, group } = await proveAmounts(profile, header, rows, file);
  const locale = { ...profile.locale, date, decimal, group };
  if (decimal !== profile.locale.decimal)
    tell({ code: 'decimal-mark', message: `its amounts have "${decimal}" before their decimals` });
  return { ...profile, locale };
};

const framingGroup = (row: TableRow, reason: SaleFinding, file: string): ReadGroup => {
  const record: SetAside = {
    outcome: 'ignored',
    origin: { file, line: row.line, record: '' },
    rows: [row],
    reason,
    businessDate: null,
  };
  return {
    group: { kind: 'stray', name: '', rows: [row], reason: 'orphan-row', width: row.cells.length },
    record,
  };
};
