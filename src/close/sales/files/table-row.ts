/** One record of a file: its cells as text, and the physical line, or row of a sheet, on which it starts, from 1. */
export type TableRow = { readonly line: number; readonly cells: readonly string[] };

/** Whether a row is a line of nothing but blanks and commas. */
export const isBlankRow = (cells: readonly string[]): boolean => {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false;
  return true;
};

/** Rows that come several at a time, one by one. */
export async function* rowByRow(batches: AsyncIterable<readonly TableRow[]>): AsyncGenerator<TableRow> {
  for await (const batch of batches) yield* batch;
}
