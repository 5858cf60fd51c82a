const FORM = /^(\d{5})[- ]?(\d{4})?$/;
const SHORT_FORM = /^\d{3,4}$/;

export type ZipCode = { readonly zip5: string; readonly plus4: string | undefined };

/**
 * Read a ZIP or ZIP+4. A number loses its leading zeros on the way through spreadsheets, so three and four digits
 * are filled up. `undefined` when it is not a ZIP.
 */
export const parseZip = (text: string): ZipCode | undefined => {
  const trimmed = text.trim();
  const parts = FORM.exec(SHORT_FORM.test(trimmed) ? trimmed.padStart(5, '0') : trimmed);
  return parts ? { zip5: parts[1] ?? '', plus4: parts[2] } : undefined;
};
