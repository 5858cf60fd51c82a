import type { Money } from '../../../kernel/money.ts';
import { formatPercent, type Rate } from '../../../kernel/rate.ts';
import { shownMoney } from '../../../kernel/shown-figures.ts';
import { cellText, type Html, html } from './html.ts';

/** A table of the page. The script of the page makes it sortable and searchable. */
export type PageTable<Row> = {
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly PageColumn<Row>[];
  readonly rows: readonly Row[];
  /** On a narrow screen each row is a card, its cells under one another. */
  readonly isStacked?: true;
  /** Name by which figures of the page link to the row. */
  readonly rowId?: (row: Row) => string;
  /** What the row can be searched for as `key=value`. */
  readonly keys?: (row: Row) => Readonly<Record<string, string>>;
};

export type PageColumn<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => PageCell;
  /** Where the cell leads in the page, and what is searched for there. */
  readonly link?: (row: Row) => PageLink;
};

/** Text, a name of several words, an amount in cents, a count, or a rate that is shown as a percentage. */
export type PageCell = string | { readonly name: string } | Figure;
type Figure = { readonly amount: Money } | { readonly count: number } | { readonly percent: Rate };

export type PageLink = { readonly href: string; readonly search: string };

export const linked = ({ href, search }: PageLink, text: string): Html =>
  html`<a href="${href}" data-search="${search}">${text}</a>`;

export const pageTable = <Row>({
  id,
  caption,
  columns,
  rows,
  isStacked,
  rowId,
  keys,
}: PageTable<Row>): Html => {
  const [first] = rows;
  const heads = columns.map(({ title, cell }) =>
    first !== undefined && isFigure(cell(first))
      ? html`<th scope="col"${roleOf('columnheader', isStacked)} class="figure">${title}</th>`
      : html`<th scope="col"${roleOf('columnheader', isStacked)}>${title}</th>`,
  );
  const lines = rows.map((row) => {
    const name = rowId ? html` id="${rowId(row)}"` : html``;
    const terms = Object.entries(keys?.(row) ?? {}).map(([key, value]) => `${key}=${value}`);
    const cells = columns.map((column) => cellOf(column, row, isStacked === true));
    return html`<tr${name}${roleOf('row', isStacked)} data-keys="${terms.join(' ')}">${cells}</tr>`;
  });
  const kind = isStacked ? 'data stack' : 'data';
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table id="${id}" class="${kind}"${roleOf('table', isStacked)}>
<caption>${coded(caption)}</caption>
<thead${roleOf('rowgroup', isStacked)}><tr${roleOf('row', isStacked)}>${heads}</tr></thead>
<tbody${roleOf('rowgroup', isStacked)}>
${lines}
</tbody></table></div>`;
};

/** A part of a table that is laid out otherwise is one to a screen reader only when it says so. */
const roleOf = (role: string, isStacked: boolean | undefined): Html =>
  isStacked ? html` role="${role}"` : html``;

const cellOf = <Row>({ title, cell, link }: PageColumn<Row>, row: Row, isStacked: boolean): Html => {
  const value = cell(row);
  const own = isStacked ? html` role="cell" data-title="${title}"` : html``;
  if (typeof value !== 'string' && 'name' in value)
    return html`<td class="name"${own}>${breakable(cellText(value.name))}</td>`;
  const text = shown(value);
  const content = link ? linked(link(row), text) : coded(text);
  if (typeof value === 'string') return html`<td${own}>${content}</td>`;
  return html`<td class="figure"${own} data-sort="${sizeOf(value)}">${content}</td>`;
};

const isFigure = (value: PageCell): value is Figure => typeof value !== 'string' && !('name' in value);

/** A text, with what stands in backticks as code. */
const coded = (text: string): Html => {
  const pieces = text.split('`');
  if (pieces.length % 2 === 0) return html`${text}`;
  return pieces
    .map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`))
    .reduce((before, piece) => html`${before}${piece}`);
};

/** A name, which may go on in the next line behind a slash, a dash or an underscore. */
const breakable = (name: string): Html =>
  name
    .split(/(?<=[/_-])/)
    .map((piece) => html`${piece}`)
    .reduce((before, piece) => html`${before}<wbr>${piece}`);

const sizeOf = (value: Figure): number => {
  if ('amount' in value) return value.amount;
  return 'count' in value ? value.count : value.percent;
};

const shown = (value: string | Figure): string => {
  if (typeof value === 'string') return cellText(value);
  if ('amount' in value) return shownMoney(value.amount);
  return 'count' in value ? String(value.count) : formatPercent(value.percent);
};
