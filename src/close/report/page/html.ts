/** HTML that is safe to insert in the page as it is. */
export type Html = { readonly html: string };

type Part = string | number | Html | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

/** Fills an HTML template: text is escaped, `Html` is inserted as it is. */
export const html = (template: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: template.reduce((page, piece, index) => page + htmlOf(parts[index - 1]) + piece),
});

/** Marks our own text, such as the script of the page, as HTML. Never use it for text that was read from anywhere. */
export const trusted = (text: string): Html => ({ html: text });

const htmlOf = (part: Part | undefined): string => {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('\n');
};

/**
 * Prepares text for a table cell. Spreadsheets can open pages too, and would take `=1+1` for a formula: as in the
 * reject files, a leading apostrophe keeps it text.
 */
export const cellText = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
