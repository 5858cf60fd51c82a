/**
 * What the page does beyond being read: tables are sorted by their headers and searched, and a link from a figure
 * searches the table it leads to. Without it everything is still there to read. It keeps to what old browsers know.
 */
export const PAGE_SCRIPT = `
'use strict';
for (const table of document.querySelectorAll('table.data')) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    // Paper repeats the header on each page, and buttons are not repeated with it.
    head.dataset.title = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const direction = head.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
      heads.forEach((each) => each.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', direction);
      const turn = direction === 'ascending' ? 1 : -1;
      const valueOf = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
      const isFigure = rows.every((row) => row.cells[column].dataset.sort !== undefined);
      rows.sort((left, right) => turn * (isFigure
        ? Number(valueOf(left)) - Number(valueOf(right))
        : valueOf(left).localeCompare(valueOf(right), 'en')));
      body.append(...rows);
    });
  });
  const search = document.createElement('div');
  search.className = 'search';
  const label = document.createElement('label');
  label.textContent = 'Search this table ';
  const input = document.createElement('input');
  input.type = 'search';
  const count = document.createElement('output');
  label.append(input);
  search.append(label, count);
  table.parentElement.before(search);
  const filter = () => {
    const terms = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const keys = row.dataset.keys.toLowerCase().split(' ');
      row.hidden = !terms.every((term) => (term.includes('=') ? keys.includes(term) : text.includes(term)));
      if (!row.hidden) shown += 1;
    }
    count.textContent = shown + ' of ' + rows.length + ' rows';
  };
  input.addEventListener('input', filter);
  table.addEventListener('search-for', (event) => { input.value = event.detail; filter(); });
  filter();
}
document.addEventListener('click', (event) => {
  const link = event.target.closest && event.target.closest('a');
  const href = link && (link.getAttribute('href') || link.getAttribute('xlink:href'));
  const found = /^#([\\w-]+)(?:\\?(.*))?$/.exec(href || '');
  if (!found) return;
  const target = document.getElementById(found[1]);
  const wanted = link.dataset.search ?? found[2];
  if (!target || wanted === undefined) return;
  if (link.dataset.search === undefined) { event.preventDefault(); target.scrollIntoView(); }
  target.dispatchEvent(new CustomEvent('search-for', { detail: decodeURIComponent(wanted) }));
});
`;
