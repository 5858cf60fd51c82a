import type { FilingLaw } from '../filing/law/filing-law.ts';
import { data } from './filing-law.data.ts';

/** The filing law that comes with Tieout. It is read once. */
export const loadFilingLaw = (): FilingLaw => {
  law ??= data();
  return law;
};

let law: FilingLaw | undefined;
