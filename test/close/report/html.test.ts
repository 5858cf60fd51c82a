import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellText, escaped, html, trusted } from '../../../src/close/report/page/html.ts';

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
