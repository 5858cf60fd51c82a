/** How header cells are compared: trimmed, composed, blanks folded, in any case. */
export const normalColumn = (cell: string): string =>
  cell
    .replace(/^\uFEFF/, '')
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** The words of a column, in small letters: `*InvoiceNumber`, `POCity` and `order_id` are words that stand close together. */
export const columnWords = (cell: string): string =>
  normalColumn(
    cell
      .replace(/^\s*\*/, '')
      .replaceAll('_', ' ')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  );
