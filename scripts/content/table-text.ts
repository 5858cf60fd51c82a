/** A cell of a content table; `null` and `undefined` are written as an empty cell. */
export type Cell = string | number | boolean | null | undefined;

const cellText = (cell: Cell): string => {
  const text = cell === null || cell === undefined ? '' : String(cell);
  if (/[\t\n\r]/.test(text)) throw new Error(`a cell holds a tab or a line end: ${JSON.stringify(text)}`);
  return text;
};

/** A content table: tab separated, one header line, no quoting, LF. */
export const tableText = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  `${[header, ...rows].map((row) => row.map(cellText).join('\t')).join('\n')}\n`;
