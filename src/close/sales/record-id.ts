import type { Origin } from '../../kernel/finding.ts';

/** Ids and amounts damaged by a spreadsheet: an exponent, an error, or a column that was too narrow. */
const MANGLED = /^(?:-?\d+(?:[.,]\d+)?E[+-]\d+|#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|#+))$/i;

/** Whether a spreadsheet damaged the cell so that its value is lost. */
export const isMangled = (text: string): boolean => MANGLED.test(text);

/** Whether a whole number has zeros behind its 15th digit, as one that a spreadsheet has rounded does. */
export const isRounded = (text: string): boolean => /^\d{15}0+$/.test(text);

/**
 * Convert a name to an id of the service: `#1001` becomes `1001`, and characters that ids cannot have are removed. If
 * two names give the same id, that is detected when they are stored, and both are refused.
 */
export const serviceId = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '');

/** Whether two names mean the same record: equal except for a leading `#` and surrounding spaces. */
export const isSameName = (left: string, right: string): boolean => bareName(left) === bareName(right);

/** The name of a record in messages, with its store where the export has several. */
export const nameInMessages = ({ record, store }: Origin): string =>
  store === undefined ? `"${record}"` : `"${record}" of ${store}`;

/** The name of a record in all sheets: without a leading `#` and surrounding spaces. */
export const bareName = (name: string): string => name.trim().replace(/^#/, '');

/** The code of refunds of one order that may be several, and that nothing in their rows tells apart. */
export const UNNUMBERED_REFUND = 'refund-without-number';
