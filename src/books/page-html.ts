import { type Money, negate, ZERO } from '../kernel/money.ts';
import { shownChange, shownMoney } from '../kernel/text.ts';

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
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
};

/**
 * Prepares text for a table cell. Spreadsheets can open pages too, and would take `=1+1` for a formula: as in the
 * reject files, a leading apostrophe keeps it text.
 */
export const cellText = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** Renders text, with parts in backticks as code. */
export const prose = (text: string): Html => {
  const pieces = text.split('`');
  if (pieces.length % 2 === 0) return html`${text}`;
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`))}`;
};

/** An amount; a dash for zero. */
export const amount = (value: Money): Html =>
  value === ZERO ? html`<span class="z">–</span>` : html`${negative(value)}${bracketed(value)}`;

/** An amount that was charged too much or too little, in the colour of it and with its sign. */
export const change = (value: Money): Html =>
  value === ZERO
    ? amount(value)
    : html`<span class="${value > ZERO ? 'more' : 'less'}">${negative(value)}${shownChange(value)}</span>`;

/** Says aloud what brackets mean. */
const negative = (value: Money): Html => (value < ZERO ? html`<span class="vh">minus </span>` : html``);

const bracketed = (value: Money): string =>
  value < ZERO ? `(${shownMoney(negate(value))})` : shownMoney(value);

/** Text, which is made harmless, or HTML. */
type PageCell = string | Html;

export type PageColumn<Row> = {
  readonly title: string;
  /** The names of its style; `num` for figures. */
  readonly kind?: string;
  /** On a narrow screen, writes the title before the cell. */
  readonly isLabelled?: true;
  readonly cell: (row: Row) => PageCell;
};

/** What a row has beside its cells: the ID by which figures of the page link to it, a style, and data for the script. */
export type RowTraits = {
  readonly id?: string;
  readonly kind?: string;
  readonly data?: Readonly<Record<string, string>>;
};

/** Rows that stand together, such as those of a total. */
export type RowGroup<Row> = { readonly kind?: string; readonly rows: readonly Row[] };

/** A table of the page. The first column names the row. */
export type PageTable<Row> = {
  readonly id: string;
  readonly kind: string;
  readonly caption: string;
  readonly columns: readonly PageColumn<Row>[];
  readonly groups: readonly RowGroup<Row>[];
  readonly traits?: (row: Row) => RowTraits;
};

/** Renders a table. It states the roles of its parts: screen readers need them where CSS lays the table out as blocks. */
export const pageTable = <Row>({ id, kind, caption, columns, groups, traits }: PageTable<Row>): Html => {
  const heads = columns.map(
    (column) => html`<th scope="col" role="columnheader" class="${column.kind ?? ''}">${column.title}</th>`,
  );
  const lineOf = (row: Row): Html => {
    const { id: name, kind: own = '', data = {} } = traits?.(row) ?? {};
    const mark = name === undefined ? html`` : html` id="${name}"`;
    const noted = Object.entries(data).map(([key, value]) => html` data-${key}="${value}"`);
    return html`<tr role="row"${mark} class="${own}"${noted}>${columns.map((column, index) => cellOf(column, row, index))}</tr>
`;
  };
  return html`<table id="${id}" class="${kind}" role="table">
<caption>${prose(caption)}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
${groups.map(({ kind: own = '', rows }) => html`<tbody role="rowgroup" class="${own}">${rows.map(lineOf)}</tbody>`)}
</table>`;
};

const cellOf = <Row>(
  { title, kind = '', isLabelled, cell }: PageColumn<Row>,
  row: Row,
  index: number,
): Html => {
  const value = cell(row);
  const content = typeof value === 'string' ? prose(cellText(value)) : value;
  if (index === 0) return html`<th scope="row" role="rowheader" class="${kind}">${content}</th>`;
  const label = isLabelled ? html` data-title="${title}"` : html``;
  return html`<td role="cell" class="${kind}"${label}>${content}</td>`;
};

/** The ID of a state's row, by which tiles link to it. */
export const stateRow = (state: string): string => `state-${state}`;
