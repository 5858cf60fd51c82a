import type { FilingLaw } from '../filing/filing-law.ts';
import { readFilingLaw } from './read-filing-law.ts';

/** The filing law that comes with Tieout. */
export const data = (): FilingLaw => readFilingLaw(new URL('../filing/data/', import.meta.url));
