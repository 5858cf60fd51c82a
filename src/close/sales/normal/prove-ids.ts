import type { Detected } from '../detect-profile.ts';
import type { SalesProfile } from '../profile.ts';
import { isRounded } from '../record-id.ts';
import { rowReader } from '../row-reader.ts';

/** Fewer zeros than these in all ids together may be chance. */
const ZEROS_MIN = 3;

/**
 * Whether a spreadsheet has rounded the ids of a file: it keeps 15 digits of a number and writes zeros for the others.
 * One long id may end in zeros by itself, so all of them must. A file is read as far as the first other id.
 */
export const areIdsRounded = async (
  { shape: { key }, file: { nullTokens, headerAliases } }: SalesProfile,
  { header, rows, framingOf }: Pick<Detected, 'header' | 'rows' | 'framingOf'>,
): Promise<boolean> => {
  const idOf = rowReader(header, { nullTokens, headerAliases }).text(key[0] ?? '');
  const zeros = new Map<string, number>();
  for await (const batch of rows()) {
    for (const row of batch) {
      const id = idOf(row);
      if (id === '' || framingOf(row)) continue;
      if (!isRounded(id)) return false;
      zeros.set(id, id.length - 15);
    }
  }
  return [...zeros.values()].reduce((sum, count) => sum + count, 0) >= ZEROS_MIN;
};
