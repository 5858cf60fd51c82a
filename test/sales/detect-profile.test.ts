import excel from 'exceljs';
import { describe, expect, test } from 'vitest';
import { type Detected, detectProfile, shippedProfiles } from '../../src/sales/detect-profile.ts';
import { folderOf, surveyed, surveyOf } from './files/on-disk.ts';
import { csvOf, HEADER, ORDER_CELLS, row, shopify } from './shopify-export.ts';

const PROFILES = shippedProfiles();
const detect = async (content: string | Uint8Array, profiles = PROFILES, wanted?: string) =>
  detectProfile({ ...(await surveyOf(content)), place: 'file.csv' }, profiles, wanted);

const header = (columns: readonly string[]) => `${columns.join(',')}\n`;
const without = (...columns: readonly string[]) => HEADER.filter((column) => !columns.includes(column));

describe('a file that no profile fits', () => {
  const FORGOTTEN =
    'Check that the right file is configured, and that it was exported with all columns; its header is looked for in the first 30 lines. `tieout profile init` drafts a profile for another export.';

  test.for([
    ['', 'E_EXPORT_EMPTY', 'file.csv: the file is empty.', 'an empty file'],
    [
      header(without('Taxes', 'Total')),
      'E_EXPORT_UNKNOWN',
      'file.csv: its columns fit no known export; the nearest is shopify.orders (Shopify orders export), which needs "Taxes", "Total" as well.',
      'the nearest profile is named with what is missing',
    ],
    [
      header(['Order ID', ...HEADER, 'Amount Refunded', 'Lineitem variant']),
      'E_EXPORT_UNKNOWN',
      'file.csv: its columns fit no known export; the nearest is shopify.orders (Shopify orders export), which never has "Lineitem variant", "Amount Refunded".',
      'Squarespace has nearly the same words',
    ],
    [
      `${'note\n'.repeat(30)}${header(HEADER)}`,
      'E_EXPORT_UNKNOWN',
      'file.csv: its columns fit no known export.',
      'a header below thirty rows is not looked for',
    ],
  ] as const)('$3: $1', async ([content, code, message]) => {
    await expect(detect(content)).rejects.toMatchObject({ code, message, recovery: 'fix-input' });
    if (code === 'E_EXPORT_UNKNOWN')
      await expect(detect(content)).rejects.toMatchObject({ nextStep: FORGOTTEN });
  });

  test('is told apart from one that two profiles fit', async () => {
    const twin = { ...shopify, id: 'shopify.twin' };
    await expect(detect(header(HEADER), [shopify, twin])).rejects.toMatchObject({
      code: 'E_EXPORT_AMBIGUOUS',
      message: 'file.csv: its columns fit both shopify.orders and shopify.twin.',
      nextStep: expect.stringContaining('Name the one that is meant as `profile` of the channel'),
    });
    expect((await detect(header(HEADER), [shopify, twin], 'shopify.twin')).profile.id).toBe('shopify.twin');
  });
});

const rowsOf = async ({ rows }: Detected): Promise<readonly (readonly [number, string])[]> => {
  const found: (readonly [number, string])[] = [];
  for await (const batch of rows())
    found.push(...batch.map(({ line, cells }) => [line, cells[0] ?? ''] as const));
  return found;
};

const codesOf = ({ notices }: Detected) => notices.map(({ code, message }) => `${code}: ${message}`);

/** A profile that does not know the rest of the columns has nothing to say about them. */
const PLAIN = [{ ...shopify, columns: [] }];

describe('a file is read in the form it has', () => {
  const SALE = csvOf([row()]);

  test.for([
    [`a;b;c;d;e;f;g\n${SALE}`, [], 'the header decides, not how often a mark occurs'],
    [`6" shelf, and "more\n\n"Report"x\n${SALE}`, [], 'below a preamble with quotes anywhere'],
    [
      SALE.trimEnd(),
      ['no-final-line-end: its last line has no end; if the file was cut off, its last record is not whole'],
      'a last line without end',
    ],
  ] as const)('$2: $1', async ([content, notices]) => {
    const found = await detect(content, PLAIN);
    expect(codesOf(found)).toEqual(notices);
    expect(await rowsOf(found)).toEqual([[found.headerLine + 1, '#1001']]);
  });

  test('a profile of one’s own stands before the shipped one that it extends, also where it needs fewer columns', async () => {
    const own = { ...shopify, id: 'own.orders', extends: shopify.id };
    expect((await detect(SALE, [shopify, own])).profile.id).toBe('own.orders');
    const wide = { ...own, detect: { ...own.detect, required: ['Name'], any: [] } };
    expect((await detect(SALE, [shopify, wide])).profile.id).toBe('own.orders');
    const other = { ...shopify, id: 'other.orders' };
    await expect(detect(SALE, [shopify, other])).rejects.toMatchObject({ code: 'E_EXPORT_AMBIGUOUS' });
  });

  test('footers and repeated headers are told from the data, wherever they stand', async () => {
    const known = { ...shopify, file: { ...shopify.file, footer: ['^total'] } };
    const [head = '', row = ''] = SALE.split('\n');
    const again = `\uFEFF${head.toUpperCase().replace(',', ' ,')}\n${row}\n`;
    const found = await detect(`${SALE}Total,,,1\n${SALE}${again}`, [known]);
    const codes: (string | undefined)[] = [];
    for await (const batch of found.rows())
      codes.push(...batch.map((one) => found.framingOf({ line: one.line, cells: one.cells })?.code));
    expect(codes).toEqual([undefined, 'footer', 'repeated-header', undefined, 'repeated-header', undefined]);
  });

  test('in a workbook, on the sheet whose columns fit', async () => {
    const book = new excel.Workbook();
    book.addWorksheet('Read me').addRow(['Exported on Monday']);
    const cells = Object.values(ORDER_CELLS);
    book.addWorksheet('Orders').addRows([['Report'], [], HEADER, cells, cells.slice(0, 5)]);
    const folder = await folderOf({ 'o.xlsx': Buffer.from(await book.xlsx.writeBuffer()) });
    const [file] = await surveyed(folder, 'o.xlsx');
    if (!file) throw new Error('there is no file');
    const found = await detectProfile(file, PLAIN);
    expect([found.profile.id, found.headerLine]).toEqual(['shopify.orders', 3]);
    const rows: number[] = [];
    for await (const batch of found.rows()) rows.push(...batch.map((one) => one.cells.length));
    expect(rows).toEqual([HEADER.length, HEADER.length]);

    book.addWorksheet('Orders (2)').addRows([HEADER, cells]);
    const twice = await surveyed(
      await folderOf({ 'o.xlsx': Buffer.from(await book.xlsx.writeBuffer()) }),
      'o.xlsx',
    );
    await expect(detectProfile({ ...file, ...twice[0] }, PLAIN)).rejects.toMatchObject({
      code: 'E_EXPORT_AMBIGUOUS',
      message: expect.stringContaining(
        'its columns fit both shopify.orders (sheet Orders) and shopify.orders (sheet Orders (2))',
      ),
    });
  });
});
