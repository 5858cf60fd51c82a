import { type FilingLaw, readFilingLaw } from './read-filing-law.ts';

/** The filing law that comes with Tieout. */
export const data = (): FilingLaw => readFilingLaw(new URL('./data/', import.meta.url));
