/** A cell does not hold what its column promises. It becomes the reason why the record is rejected. */
export type CellProblem = { readonly problem: string; readonly column: string; readonly value: string };

export const isProblem = <Value>(value: Value | CellProblem): value is CellProblem =>
  typeof value === 'object' && value !== null && 'problem' in value;
