import { entryOf, standing } from '../sales/corrections.ts';
import type { Sale } from '../sales/sale.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { correctionsOf } from '../workspace/carried-sales.ts';
import { type FiledSale, filedByKey } from '../workspace/filed-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { FiledRecord } from './late-item.ts';

/** The filed versions of a record: the one in effect, and how many corrections are filed. */
export type FiledVersions = { readonly record: FiledRecord | undefined; readonly corrections: number };

/** Returns the filed version in effect of each of these records, after all filed corrections. */
export const filedVersions = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FiledVersions>> => {
  if (keys.length === 0) return new Map();
  const filed = await filedByKey(workspace, [...keys, ...(await correctionsOf(workspace, keys))]);
  const found = new Map<string, FiledSale[]>();
  for (const row of filed.values()) {
    const key = row.corrects === '' ? row.key : row.corrects;
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return new Map([...found].map(([key, own]) => [key, versionsOf(own)]));
};

/** A correction is a reversal of the version before, a new version, or both, under one number. */
const versionsOf = (rows: readonly FiledSale[]): FiledVersions => {
  const versions = rows.map((row) => ({ row, ...entryOf(nameOfKey(row.key), row.corrects) }));
  const [inEffect] = standing(versions);
  return {
    record: inEffect && filedRecord(inEffect.row),
    corrections: Math.max(0, ...versions.map(({ number }) => number)),
  };
};

export const filedRecord = ({ body, figures, filed_on }: FiledSale): FiledRecord => ({
  sale: JSON.parse(body) as Sale,
  figures,
  filedOn: filed_on,
});
