import type { Profile } from '../profile.ts';
import type { Remark } from '../sale.ts';
import type { TableRow } from './table-row.ts';

/**
 * Tells rows that frame the data from the data: footers, by the profile's patterns on their filled cells (joined by
 * commas), and the header once more, where files were put together. Each is told by itself: a file whose rows were
 * sorted may have its footer anywhere, and nothing behind it may be lost.
 */
export const framingOf = (
  profile: Profile,
  header: readonly string[],
): ((row: TableRow) => Remark | undefined) => {
  const footers = profile.file.footer.map((pattern) => new RegExp(pattern, 'iu'));
  return ({ cells }) => {
    if (cells.length === header.length && cells.every((cell, index) => cell === header[index]))
      return { code: 'repeated-header', message: 'the header stands here once more' };
    if (footers.length === 0) return undefined;
    const filled = cells
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '')
      .join(',');
    return footers.some((pattern) => pattern.test(filled))
      ? { code: 'footer', message: 'the line is a footer of the export, not a record' }
      : undefined;
  };
};
