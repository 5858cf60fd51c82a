import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LOCK_FILE } from '../../src/evidence/lock-line.ts';
import { contentDigestOf } from '../../src/evidence/manifest.ts';
import { converted, testWithLibreOffice } from '../support/libreoffice.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import { forgeFile, inWorkbook, readManifest, SHEETS } from './tamperings/pack.ts';

const signedMonth = preparedMonth(
  { orders: [{ name: '#1' }, { name: '#2', price: '20.00' }] },
  async (shop) => {
    await shop.told(0, 'close', '2026-10');
    await shop.told(0, 'sign', '2026-10', '--as', 'Dana Reyes', '--role', 'preparer');
  },
);

const GROSS = inWorkbook(SHEETS, '<v>10.75</v>', '<v>90.75</v>');

test('a changed workbook is named with sheet and cell, what was found, and what the logs have there', async () => {
  const shop = await signedMonth();
  await writeFile(shop.book(), await GROSS(await readFile(shop.book())));
  expect(await shop.verify()).toEqual([
    expect.stringMatching(
      /^variance\.xlsx has \d+ bytes, and the manifest says \d+; by the logs: variance\.xlsx, sheet [\w ]+, cell [A-Z]+\d+: found 90\.75, expected 10\.75$/,
    ),
  ]);
});

testWithLibreOffice(
  'a workbook that another program saved has the same values, or a cell that differs',
  async () => {
    const shop = await signedMonth();
    const resave = async (path: string, bytes: Buffer): Promise<string> => {
      await writeFile(path, bytes);
      const saved = await converted(path, 'xlsx:Calc MS Excel 2007 XML', (folder, name) =>
        readFile(join(folder, name)),
      );
      await writeFile(path, saved);
      return (await shop.verify()).join();
    };
    const path = join(shop.out(), 'filing-summary.xlsx');
    const book = await readFile(path);
    expect(await resave(path, book)).toMatch(
      / was saved by another program: every cell has the value that the logs give it$/,
    );
    await writeFile(path, book);
    const changed = await GROSS(await readFile(shop.book()));
    expect(await resave(shop.book(), changed)).toMatch(
      /sheet .+, cell [A-Z]+\d+: found 90\.75, expected 10\.75$/,
    );
  },
);

test('so is one whose digests were made to fit, and a broken signature says no less', async () => {
  const shop = await signedMonth();
  const pack = shop.out();
  const lines = await readFile(join(pack, LOCK_FILE));
  await forgeFile(pack, 'variance.xlsx', GROSS);
  const forged = await readManifest(pack);
  await writeFile(join(pack, LOCK_FILE), lines);
  expect(contentDigestOf(forged.content)).toBe(forged.contentDigest);
  expect((await shop.verify()).join()).toMatch(
    /^evidence\/manifest\.json is not the one that .* has signed; by the logs: variance\.xlsx, sheet .*, cell .*: found 90\.75, expected 10\.75$/,
  );
});

test('a cell that should be empty, and a line too many, are called that', async () => {
  const shop = await signedMonth();
  await forgeFile(
    shop.out(),
    'variance.xlsx',
    inWorkbook(SHEETS, /<\/row>/, '<c r="XFD1"><v>90</v></c></row>'),
  );
  expect((await shop.verify()).join()).toMatch(/cell XFD1: found 90, expected an empty cell$/);

  const other = await signedMonth();
  await appendFile(join(other.out(), 'report.html'), 'one more');
  expect((await other.verify()).join()).toMatch(
    /report\.html, line \d+: found one more, expected (an empty line|the end of the file)$/,
  );
});

test.for([
  [
    'a sale',
    '"salesTax":1075',
    '"salesTax":1175',
    'shopify/order/1: its jurisdictions do not add up to its collected tax',
  ],
  [
    'the place of a row',
    '"line":2',
    '"line":7',
    'variance.xlsx, sheet .*: found orders.csv:2, expected orders.csv:7',
  ],
] as const)(
  'a log in which %s was changed names the record, and where it shows',
  async ([, from, to, where]) => {
    const shop = await signedMonth();
    const path = join(shop.out(), 'evidence', 'entries.ndjson.gz');
    const text = gunzipSync(await readFile(path)).toString();
    await writeFile(path, gzipSync(text.replace(from, to)));
    expect((await shop.verify()).join()).toMatch(
      new RegExp(`^evidence/entries\\.ndjson\\.gz has .*; by the logs: ${where}`),
    );
  },
);
