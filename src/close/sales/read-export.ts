import type { Detected } from './detect-profile.ts';
import { type RowGroup, rowGrouper } from './group-rows.ts';
import type { SalesProfile } from './profile.ts';
import { proveAmounts, proveDates } from './proofs.ts';
import { type ReadRecord, type SaleContext, saleReader } from './read-sale.ts';
import type { SaleFinding, SetAside } from './sale.ts';
import type { TableRow } from './table-row.ts';

/** A record with the rows it was read from. */
export type ReadGroup = { readonly group: RowGroup; readonly record: ReadRecord };

export type ReadingOptions = {
  /** Number of records per batch; it may be exceeded slightly, and the last batch may have fewer. */
  readonly batchSize: number;
  /**
   * Called with every row below the header as it is read. When a batch is yielded, these are the rows of that batch and
   * of all earlier ones.
   */
  readonly onRow?: ((row: TableRow) => void) | undefined;
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
  { batchSize, onRow }: ReadingOptions,
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
      batch.push({ group, record: reader.read(group) });
      addFraming();
    },
  );
  for await (const some of rows()) {
    for (const row of some) {
      const reason = framingOf(row);
      if (!reason && grouper.add(row) && batch.length >= batchSize) {
        yield batch;
        batch = [];
      }
      if (reason) framing.push(framingGroup(row, reason, context.file));
      onRow?.(row);
    }
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
