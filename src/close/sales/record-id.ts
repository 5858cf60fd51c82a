/** What a spreadsheet made of an id or an amount: an exponent, an error, or a column that was too narrow. */
const MANGLED = /^(?:-?\d+(?:\.\d+)?E[+-]\d+|#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|#+))$/i;

/** Whether a cell holds what a spreadsheet left of it, so that no one can tell what it was. */
export const isMangled = (text: string): boolean => MANGLED.test(text);

/**
 * `#1001` is known to the service as `1001`; characters that its ids cannot have are left out. Two names that become
 * one id are told apart when they are stored, and both refused.
 */
export const serviceId = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '');

/** Whether two names mean one record: they are equal but for the mark of numbers and blanks around them. */
export const isSameName = (left: string, right: string): boolean => bareName(left) === bareName(right);

/** The name of a record as all sheets have it: without the mark of numbers and blanks around it. */
export const bareName = (name: string): string => name.trim().replace(/^#/, '');

/** The codes of records that stand more than once with different content: no one can tell which of them is right. */
export const CONTRADICTED = ['conflicting-duplicate', 'merged-id'] as const;
