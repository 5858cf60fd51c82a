import type { Detected } from './detect-profile.ts';
import type { TableRow } from './files/table-row.ts';
import { groupRows, type RowGroup } from './group-rows.ts';
import type { SalesProfile } from './profile.ts';
import { type ReadOrder, readSale, type SaleContext } from './read-sale.ts';
import { rowReader } from './row-view.ts';
import type { Remark, SetAside } from './sale.ts';

/** A record as it was read, with the rows it was read from. */
export type ReadGroup = { readonly group: RowGroup; readonly record: ReadOrder | SetAside };

/**
 * The records of an export in order. Every row below the header is in exactly one of them: footers and repeated
 * headers are ignored records of their own.
 */
export async function* readExport(
  detected: Detected,
  profile: SalesProfile,
  context: SaleContext,
): AsyncGenerator<ReadGroup> {
  const { header, rows, framingOf } = detected;
  const read = rowReader(header, {
    money: profile.locale,
    nullTokens: profile.file.nullTokens,
    headerAliases: profile.file.headerAliases,
  });
  let framing: ReadGroup[] = [];
  const data = dataRows(rows(), (row) => {
    const reason = framingOf(row);
    if (reason) framing.push(framingGroup(row, reason, context.file));
    return reason === undefined;
  });
  for await (const group of groupRows(data, header.length, profile.shape, profile.map.line?.present, read)) {
    yield { group, record: readSale(group, profile, read, context) };
    if (framing.length === 0) continue;
    yield* framing;
    framing = [];
  }
  yield* framing;
}

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
