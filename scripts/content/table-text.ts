export type Cell = string | number;

const cellText = (cell: Cell): string => {
  if (/[\t\n\r]/.test(String(cell))) throw new Error(`a cell holds a tab or a line end: ${cell}`);
  return String(cell);
};

/** A content table: tab separated, one header line, no quoting, LF. */
export const tableText = (header: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const lines = [header, ...rows].map((row) => row.map(cellText).join('\t'));
  return `${lines.join('\n')}\n`;
};
