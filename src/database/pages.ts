import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Read a result of any size in pages of bounded size: `read` is asked for the first rows, then for the rows after
 * the last one it gave, in an order that no two rows share. Nothing is held between two pages, so writes to the same
 * tables are possible while somebody reads; a row that appears behind the last one read is seen, one before is not.
 * SQLite answers without waiting for anything: the process gets a turn between pages to hear of signals and time.
 */
export async function* pagesOf<Row>(
  rowsPerPage: number,
  read: (after: Row | undefined, rowsMax: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  let last: Row | undefined;
  for (;;) {
    const page = await read(last, rowsPerPage);
    if (page.length > 0) yield page;
    await nextTurn();
    if (page.length < rowsPerPage) return;
    last = page.at(-1);
  }
}
