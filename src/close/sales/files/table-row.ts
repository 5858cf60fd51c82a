/** One record of a file: its cells as text, and the physical line or sheet row where it starts, counted from 1. */
export type TableRow = { readonly line: number; readonly cells: readonly string[] };

/** Whether all cells of a row are blank. A single end mark, which old systems put behind a text, counts as blank. */
export const isBlankRow = (cells: readonly string[]): boolean => {
  for (const cell of cells)
    if (cell !== '' && cell.trim() !== '') return cells.length === 1 && cell === END_MARK;
  return true;
};

/** Ctrl-Z. */
const END_MARK = '\u001a';

/** Yield the rows of batches one by one. */
export async function* rowByRow(batches: AsyncIterable<readonly TableRow[]>): AsyncGenerator<TableRow> {
  for await (const batch of batches) yield* batch;
}
