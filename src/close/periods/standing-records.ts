import type { Sale } from '../sales/sale.ts';
import type { FiledSaleRow } from '../workspace/period-tables.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { FiledRecord } from './late-item.ts';

/** What is filed of a record: what of it stands, and how often it was corrected. */
export type Standing = { readonly record: FiledRecord | undefined; readonly corrections: number };

const NUMBER = /-late-(\d+)(-reversal)?$/;

/** What stands filed of each of these records, through all corrections that are filed. */
export const standingRecords = async (
  { tables, entity }: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Standing>> => {
  if (keys.length === 0) return new Map();
  // Whatever was ever carried stays among the carried records, which are few.
  const corrections = await tables
    .selectFrom('carried_sale')
    .select('key')
    .where('entity', '=', entity)
    .where('corrects', 'in', keys)
    .execute();
  const rows = await tables
    .selectFrom('filed_sale')
    .selectAll()
    .where('entity', '=', entity)
    .where('key', 'in', [...new Set([...keys, ...corrections.map(({ key }) => key)])])
    .execute();
  const found = new Map<string, FiledSaleRow[]>();
  for (const row of rows) {
    const key = row.corrects === '' ? row.key : row.corrects;
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return new Map([...found].map(([key, own]) => [key, standingOf(own)]));
};

/** A correction is a reversal of what stood before, a record in its place, or both, under one number. */
const standingOf = (rows: readonly FiledSaleRow[]): Standing => {
  const steps = rows
    .map((row) => {
      const [, number = '0', reversal] = NUMBER.exec(row.corrects === row.key ? '' : row.key) ?? [];
      return { row, number: Number(number), isReversal: reversal !== undefined };
    })
    .sort((left, right) => left.number - right.number || Number(right.isReversal) - Number(left.isReversal));
  const last = steps.at(-1);
  return {
    record: last && !last.isReversal ? filedRecord(last.row) : undefined,
    corrections: last?.number ?? 0,
  };
};

export const filedRecord = ({ body, figures, filed_on }: FiledSaleRow): FiledRecord => ({
  sale: JSON.parse(body) as Sale,
  figures,
  filedOn: filed_on,
});
