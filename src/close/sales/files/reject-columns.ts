/**
 * Columns that a reject file puts before those of its export: the origin of a row (file, digest, line), its record, and
 * why it was rejected. A repaired reject file is read like any export; these columns do not count as a layout change,
 * and show which rows it replaces.
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

/** Positions of the columns that identify the original row; `undefined` if the header is not that of a reject file. */
export const rejectPlaces = (
  header: readonly string[],
): { readonly sha256: number; readonly line: number } | undefined => {
  const cells = header.map((cell) => cell.trim());
  const places = { sha256: cells.indexOf('_sha256'), line: cells.indexOf('_line') };
  return places.sha256 < 0 || places.line < 0 ? undefined : places;
};
