/** How header cells are compared: trimmed, composed, blanks folded, in any case. */
export const normalColumn = (cell: string): string =>
  cell
    .replace(/^\uFEFF/, '')
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();
