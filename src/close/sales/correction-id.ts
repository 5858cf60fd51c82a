/** The ids of records that correct a filed one: its id, the number of the correction, and whether it is the reversal. */
const CORRECTION = /-late-(\d+)(-reversal)?$/;

/** Returns the id of the new version of a corrected record. */
export const correctionId = (original: string, number: number): string => `${original}-late-${number}`;

/** Returns the id of the record that reverses the filed version before a correction. */
export const reversalId = (original: string, number: number): string =>
  `${correctionId(original, number)}-reversal`;

export const isReversalId = (id: string): boolean => CORRECTION.exec(id)?.[2] !== undefined;

/** Whether a record corrects a filed one, by its reversal or by a new version. */
export const isCorrectionId = (id: string): boolean => CORRECTION.test(id);

/** Returns the id under which a corrected record was first filed. */
export const filedId = (id: string): string => id.replace(CORRECTION, '');

/** Returns the number of a correction, 0 for a record as it was first filed, and whether it is the reversal. */
export const correctionOf = (id: string): { readonly number: number; readonly isReversal: boolean } => {
  const [, number = '0', reversal] = CORRECTION.exec(id) ?? [];
  return { number: Number(number), isReversal: reversal !== undefined };
};
