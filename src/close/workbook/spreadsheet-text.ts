const CELL_LENGTH_MAX = 32_767;
const CUT_MARK = ' [cut: a cell holds 32,767 characters]';

/** Characters XML 1.0 cannot carry, and carriage returns, which XML readers turn into line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|_(?=x[0-9a-fA-F]{4}_)/g;

/**
 * Encodes text as OOXML's ST_Xstring: characters that XML cannot contain become `_x0007_`, and the underscore of text
 * that looks like such an escape is escaped. Half of a surrogate pair becomes U+FFFD. Text that is too long ends in a
 * notice.
 */
export const spreadsheetText = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  const fitting =
    whole.length <= CELL_LENGTH_MAX
      ? whole
      : whole.slice(0, CELL_LENGTH_MAX - CUT_MARK.length).toWellFormed() + CUT_MARK;
  return fitting.replace(
    UNWRITABLE,
    (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
};

const MARKUP = /[&<>"]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML content or a double-quoted attribute. */
export const xmlText = (text: string): string => text.replace(MARKUP, (found) => ENTITIES[found] ?? found);

/** Whether XML readers would drop blanks of this text without `xml:space="preserve"`. */
export const needsSpacePreserved = (text: string): boolean => /^\s|\s$|\s\s|[\t\n]/.test(text);
