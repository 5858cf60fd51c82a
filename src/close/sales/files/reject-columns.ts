/**
 * What a reject file has before the columns of its export: where a row stood (the file, its digest, the line), which
 * record it is part of, and why it was rejected. A repaired reject file is an export like any other; these columns
 * are not taken for a change of its layout, and say which rows it stands for.
 */
export const REJECT_COLUMNS = [
  '_file',
  '_sha256',
  '_line',
  '_record',
  '_reason',
  '_detail',
  '_column',
  '_value',
] as const;

const NAMES: ReadonlySet<string> = new Set(REJECT_COLUMNS);

export const isRejectColumn = (cell: string): boolean => NAMES.has(cell.trim());

/** Where a header says which row of which file each row stands for; `undefined` for the header of any other file. */
export const rejectPlaces = (
  header: readonly string[],
): { readonly sha256: number; readonly line: number } | undefined => {
  const cells = header.map((cell) => cell.trim());
  const places = { sha256: cells.indexOf('_sha256'), line: cells.indexOf('_line') };
  return places.sha256 < 0 || places.line < 0 ? undefined : places;
};
