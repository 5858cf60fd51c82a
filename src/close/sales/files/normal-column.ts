/** Normalize a header cell for comparison: NFC, trimmed, whitespace collapsed, lower case. */
export const normalColumn = (cell: string): string =>
  cell
    .replace(/^\uFEFF/, '')
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();

/**
 * The names by which profiles call the columns of a header. Of several columns with one name the first has it, since
 * such exports put the ship-to block first; the others are called `Name (2)` and so on.
 */
export const calledColumns = (header: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  return header.map((cell) => {
    const name = cell.trim().replace(/\s+/g, ' ');
    const count = (counts.get(normalColumn(name)) ?? 0) + 1;
    counts.set(normalColumn(name), count);
    return name === '' || count === 1 ? name : `${name} (${count})`;
  });
};

/** The words of a column name in lower case; splits names such as `*InvoiceNumber`, `POCity` and `order_id`. */
export const columnWords = (cell: string): string =>
  normalColumn(
    cell
      .replace(/^\s*\*/, '')
      .replaceAll('_', ' ')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  );
