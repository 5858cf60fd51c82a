/** Normalize a header cell for comparison: NFC, trimmed, whitespace collapsed, lower case. */
export const normalColumn = (cell: string): string =>
  cell
    .replace(/^\uFEFF/, '')
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** The words of a column name in lower case; splits names such as `*InvoiceNumber`, `POCity` and `order_id`. */
export const columnWords = (cell: string): string =>
  normalColumn(
    cell
      .replace(/^\s*\*/, '')
      .replaceAll('_', ' ')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  );
