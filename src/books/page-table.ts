import { formatPercent, type Money, type Rate } from '../kernel/money.ts';
import { shownMoney } from '../kernel/text.ts';

/** A table of the page. */
export type PageTable<Row> = {
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly PageColumn<Row>[];
  readonly rows: readonly Row[];
  /** On a narrow screen, shows each row as a card with its cells below each other. */
  readonly isStacked?: true;
  /** The ID by which figures of the page link to the row. */
  readonly rowId?: (row: Row) => string;
  /** Data of the row for the page's script, by name of the attribute without `data-`. */
  readonly data?: (row: Row) => Readonly<Record<string, string>>;
};

export type PageColumn<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => PageCell;
};

/** Text, a name of several words, a status with its sign, an amount in cents, a count, or a rate as a percentage. */
export type PageCell = string | { readonly name: string } | { readonly status: string } | Figure;
type Figure = { readonly amount: Money } | { readonly count: number } | { readonly percent: Rate };

export const pageTable = <Row>({
  id,
  caption,
  columns,
  rows,
  isStacked,
  rowId,
  data,
}: PageTable<Row>): Html => {
  const [first] = rows;
  const heads = columns.map(({ title, cell }) =>
    first !== undefined && isFigure(cell(first))
      ? html`<th scope="col"${roleOf('columnheader', isStacked)} class="figure">${title}</th>`
      : html`<th scope="col"${roleOf('columnheader', isStacked)}>${title}</th>`,
  );
  const lines = rows.map((row) => {
    const name = rowId ? html` id="${rowId(row)}"` : html``;
    const own = Object.entries(data?.(row) ?? {}).map(([key, value]) => html` data-${key}="${value}"`);
    const cells = columns.map((column) => cellOf(column, row, isStacked === true));
    return html`<tr${name}${roleOf('row', isStacked)}${own}>${cells}</tr>`;
  });
  const kind = isStacked ? 'data stack' : 'data';
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table id="${id}" class="${kind}"${roleOf('table', isStacked)}>
<caption>${coded(caption)}</caption>
<thead${roleOf('rowgroup', isStacked)}><tr${roleOf('row', isStacked)}>${heads}</tr></thead>
<tbody${roleOf('rowgroup', isStacked)}>
${lines}
</tbody></table></div>`;
};

/** States the role of a table's part. Screen readers need it if CSS changes the layout of the table. */
const roleOf = (role: string, isStacked: boolean | undefined): Html =>
  isStacked ? html` role="${role}"` : html``;

const cellOf = <Row>({ title, cell }: PageColumn<Row>, row: Row, isStacked: boolean): Html => {
  const value = cell(row);
  const own = isStacked ? html` role="cell" data-title="${title}"` : html``;
  if (typeof value !== 'string' && 'name' in value)
    return html`<td class="name"${own}>${breakable(cellText(value.name))}</td>`;
  if (typeof value !== 'string' && 'status' in value)
    return html`<td class="name"${own}><span class="tag ${TAGS[value.status.slice(0, 1)] ?? 'idle'}">${value.status}</span></td>`;
  const content = coded(shown(value));
  if (typeof value === 'string') return html`<td${own}>${content}</td>`;
  return html`<td class="figure"${own}>${content}</td>`;
};

/** The colours of a status, by its sign. */
const TAGS: Readonly<Record<string, string>> = { '✓': 'ok', '✕': 'no', '●': 'no' };

const isFigure = (value: PageCell): value is Figure =>
  typeof value !== 'string' && !('name' in value) && !('status' in value);

/** Renders text, with parts in backticks as code. */
const coded = (text: string): Html => {
  const pieces = text.split('`');
  if (pieces.length % 2 === 0) return html`${text}`;
  return pieces
    .map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`))
    .reduce((before, piece) => html`${before}${piece}`);
};

/** Allows line breaks in a name after a slash, a dash or an underscore. */
const breakable = (name: string): Html =>
  name
    .split(/(?<=[/_-])/)
    .map((piece) => html`${piece}`)
    .reduce((before, piece) => html`${before}<wbr>${piece}`);

const shown = (value: string | Figure): string => {
  if (typeof value === 'string') return cellText(value);
  if ('amount' in value) return shownMoney(value.amount);
  return 'count' in value ? String(value.count) : formatPercent(value.percent);
};

/** IDs of rows, by which figures of the page link to them. */
export const stateRow = (state: string): string => `state-${state}`;
export const reasonRow = (code: string): string => `reason-${code}`;

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
