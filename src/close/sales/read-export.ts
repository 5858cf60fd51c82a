import type { Detected } from './detect-profile.ts';
import type { TableRow } from './files/table-row.ts';
import type { RowGroup } from './group-rows.ts';
import { proveAmounts } from './normal/prove-amounts.ts';
import { proveDates } from './normal/prove-dates.ts';
import type { SalesProfile } from './profile.ts';
import { type ReadRecord, type SaleContext, saleReader } from './read-sale.ts';
import type { Remark, SetAside } from './sale.ts';

/** A record as it was read, with the rows it was read from. */
export type ReadGroup = { readonly group: RowGroup; readonly record: ReadRecord };

/**
 * The records of an export in order. Every row below the header is in exactly one of them: footers and repeated
 * headers are ignored records of their own.
 *
 * @param profile with the forms that the file proves
 * @param onRow told every row below the header as it is read, before anything is made of it
 */
export async function* readExport(
  detected: Detected,
  profile: SalesProfile,
  context: SaleContext,
  onRow: (row: TableRow) => void = () => {},
): AsyncGenerator<ReadGroup> {
  const { header, rows, framingOf } = detected;
  const reader = saleReader(profile, header, context);
  let framing: ReadGroup[] = [];
  const data = dataRows(rows(), (row) => {
    onRow(row);
    const reason = framingOf(row);
    if (reason) framing.push(framingGroup(row, reason, context.file));
    return reason === undefined;
  });
  for await (const group of reader.groups(data)) {
    yield { group, record: reader.read(group) };
    if (framing.length === 0) continue;
    yield* framing;
    framing = [];
  }
  yield* framing;
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
  tell: (remark: Remark) => void = () => {},
): Promise<SalesProfile> => {
  const date = await proveDates(profile, header, rows, file, tell);
  const { decimal, group } = await proveAmounts(profile, header, rows, file);
  if (decimal !== profile.locale.decimal)
    tell({ code: 'decimal-mark', message: `its amounts have "${decimal}" before their decimals` });
  return { ...profile, locale: { ...profile.locale, date, decimal, group } };
};

async function* dataRows(
  batches: AsyncIterable<readonly TableRow[]>,
  isData: (row: TableRow) => boolean,
): AsyncGenerator<TableRow> {
  for await (const batch of batches) for (const row of batch) if (isData(row)) yield row;
}

const framingGroup = (row: TableRow, reason: Remark, file: string): ReadGroup => {
  const record: SetAside = {
    outcome: 'ignored',
    origin: { file, line: row.line, record: '' },
    rows: [row],
    reason,
    businessDate: null,
  };
  return { group: { kind: 'stray', name: '', rows: [row], reason: 'orphan-row' }, record };
};
