import type { Detected } from './detect-profile.ts';
import type { TextPart } from './files/table-heads.ts';
import type { TableRow } from './files/table-row.ts';
import { type RowGroup, rowGrouper } from './group-rows.ts';
import { proveAmounts } from './normal/prove-amounts.ts';
import { proveDates } from './normal/prove-dates.ts';
import type { SalesProfile } from './profile.ts';
import { type ReadRecord, type SaleContext, saleReader } from './read-sale.ts';
import type { SaleFinding, SetAside } from './sale.ts';

/** A record as it was read, with the rows it was read from. */
export type ReadGroup = { readonly group: RowGroup; readonly record: ReadRecord };

export type ReadingOptions = {
  /** A part of the file; all of it when absent. */
  readonly part?: TextPart | undefined;
  /** How many records come together, or a few more. */
  readonly batchSize: number;
  /** Told every row below the header as it is read. When a batch is given, these are the rows of it and of those before. */
  readonly onRow?: (row: TableRow) => void;
  /** Of a part that is read with what stands around it: the records that begin in it; all of them when absent. */
  readonly share?: Share;
};

/**
 * The records of a part that begin on these lines. By where its records begin and end it is seen that shares of a file fit
 * together: no row is in two of them, and none is missing.
 */
export type Share = {
  /** `undefined` at the beginning of what is shared. */
  readonly first: number | undefined;
  /** The line behind them; `undefined` at the end of what is shared. */
  readonly last: number | undefined;
  /** The line on which the first of them begins, and that of the first one behind them, as far as they were read. */
  begins?: number | undefined;
  ends?: number | undefined;
};

/** Note that a record begins on a line; gives whether it is in the share. */
const noteBegin = (share: Share, line: number): boolean => {
  const { first = 0, last = Number.POSITIVE_INFINITY } = share;
  if (line < first) return false;
  if (line >= last) share.ends = line;
  else share.begins ??= line;
  return line < last;
};

/**
 * The records of an export in order, several at a time. Every row below the header is in exactly one of them: footers
 * and repeated headers are ignored records of their own.
 *
 * @param profile with the forms that the file proves
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
 * The profile with the forms of dates and amounts that the file's own values prove.
 *
 * @param tell told how they prove it, where another form would have been possible
 * @throws {ExportError} E_EXPORT_DATES or E_EXPORT_AMOUNTS when they prove none, or contradict the profile
 */
export const provenProfile = async (
  profile: SalesProfile,
  { header, rows }: Pick<Detected, 'header' | 'rows'>,
  file: string,
  tell: (remark: SaleFinding) => void = () => {},
): Promise<SalesProfile> => {
  const date = await proveDates(profile, header, rows, file, tell);
  const { decimal, group } = await proveAmounts(profile, header, rows, file);
  if (decimal !== profile.locale.decimal)
    tell({ code: 'decimal-mark', message: `its amounts have "${decimal}" before their decimals` });
  return { ...profile, locale: { ...profile.locale, date, decimal, group } };
};

const framingGroup = (row: TableRow, reason: SaleFinding, file: string): ReadGroup => {
  const record: SetAside = {
    outcome: 'ignored',
    origin: { file, line: row.line, record: '' },
    rows: [row],
    reason,
    businessDate: null,
  };
  return { group: { kind: 'stray', name: '', rows: [row], reason: 'orphan-row' }, record };
};
