import { isFeeOn } from '../../../filing/law/is-fee.ts';
import { loadFilingLaw } from '../../../filing-law/load-filing-law.ts';
import type { FeeTest } from '../../../sales/state-fees.ts';

/** Whether the law of a state has a line of tax as a fee. The digest of the program covers this law. */
export const isStateFee: FeeTest = (name, state, day) => isFeeOn(loadFilingLaw().fees, name, state, day);
