import { data } from './filing-law.data.ts';
import type { FilingLaw } from './filing-law.ts';

/** Return the filing law that comes with Tieout, reading it only once. */
export const loadFilingLaw = (): FilingLaw => {
  law ??= data();
  return law;
};

let law: FilingLaw | undefined;
