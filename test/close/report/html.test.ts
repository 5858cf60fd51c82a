import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellText, escaped, html, trusted } from '../../../src/close/report/page/html.ts';
import { pageTable } from '../../../src/close/report/page/page-table.ts';
import { shownMoney } from '../../../src/close/report/shown-money.ts';
import { money } from '../../../src/kernel/money.ts';

describe('text in a page', () => {
  test.for([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;', 'no element comes of it'],
    ['" onload="x', '&quot; onload=&quot;x', 'no attribute ends early'],
    ["it's", 'it&#39;s', 'nor one in single quotes'],
    ['A & B', 'A &amp; B', 'no entity comes of it'],
  ])('%j becomes %j: %s', ([text, shown]) => {
    expect(html`<td title="${text ?? ''}">${text ?? ''}</td>`.html).toBe(
      `<td title="${shown}">${shown}</td>`,
    );
  });

  test('never holds a sign that HTML reads', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(escaped(text)).not.toMatch(/[<>"']/);
      }),
    );
  });

  test('pieces of HTML are put in as they are, one after another', () => {
    expect(html`<p>${[html`<b>${1}</b>`, trusted('<i>2</i>')]}</p>`.html).toBe('<p><b>1</b>\n<i>2</i></p>');
  });

  test.for(['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1'])(
    '%j stays text in a spreadsheet program that opens the page',
    (text) => {
      expect(cellText(text)).toBe(`'${text}`);
    },
  );

  test('a cell of ordinary text is shown as it is', () => {
    expect(cellText('#5010 a=b')).toBe('#5010 a=b');
  });
});

describe('a table of the page', () => {
  const { html: table } = pageTable({
    id: 'sales',
    caption: 'Sales',
    rows: ['<script>alert(1)</script>', '=1+1', '" onclick="x'],
    keys: (row) => ({ record: row }),
    columns: [
      { title: 'Record', cell: (row) => row, link: (row) => ({ href: '#sales', search: row }) },
      { title: 'Tax', cell: () => ({ amount: money(-123_456) }) },
    ],
  });

  test('holds no element, attribute or formula that came from its rows', () => {
    expect(table).not.toContain('<script');
    expect(table).not.toContain('" onclick="');
    expect(table).toContain('>&#39;=1+1</a>');
  });

  test('sorts amounts by their cents', () => {
    expect(table).toContain('<td class="figure" data-sort="-123456">-1,234.56</td>');
  });

  test.for([
    [0, '0.00'],
    [99_999, '999.99'],
    [100_000, '1,000.00'],
    [-123_456_789, '-1,234,567.89'],
  ])('%i cents are shown as %s', ([cents, shown]) => {
    expect(shownMoney(money(Number(cents)))).toBe(shown);
  });
});
