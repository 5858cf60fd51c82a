import { describe, expect, test } from 'vitest';
import { detectProfile, normalColumn } from '../../../src/close/sales/detect-profile.ts';
import { shippedProfiles } from '../../../src/close/sales/shipped-profiles.ts';
import { fileOf } from './export-file.ts';
import { csvOf, HEADER, row, shopify } from './shopify-export.ts';

const PROFILES = shippedProfiles();
const detect = async (content: string, profiles = PROFILES) =>
  detectProfile(await fileOf(content), 'file.csv', profiles);

const header = (columns: readonly string[]) => `${columns.join(',')}\n`;
const without = (...columns: readonly string[]) => HEADER.filter((column) => !columns.includes(column));

describe('a file is recognised by its columns', () => {
  test.for([
    [csvOf([row()]), 'shopify.orders', 1, 'with a sale'],
    [header(HEADER), 'shopify.orders', 1, 'a month without sales has a header too'],
    [header([...HEADER].reverse()), 'shopify.orders', 1, 'wherever they stand'],
    [
      header(HEADER.map((column) => ` ${column.toUpperCase()}  `)),
      'shopify.orders',
      1,
      'in any case, with blanks',
    ],
    [`\uFEFF${header(HEADER)}`, 'shopify.orders', 1, 'behind a byte order mark'],
    [header([...HEADER, 'Tip', 'Loyalty']), 'shopify.orders', 1, 'with columns that nobody knows'],
    [`Orders\n\nfrom 2026-10-01\n${header(HEADER)}`, 'shopify.orders', 4, 'below a preamble'],
    [
      'Transaction Date,Type,Order,Card Brand,Payout Status,Payout Date,Amount,Fee,Net,Checkout\n',
      'shopify.payments',
      1,
      'a companion file',
    ],
  ] as const)('as $1, header on line $2: $3', async ([content, id, line]) => {
    const found = await detect(content);
    expect(found.profile.id).toBe(id);
    expect(found.headerLine).toBe(line);
  });

  test('and keeps its header as it stands', async () => {
    expect((await detect(header(HEADER))).header).toEqual(HEADER);
  });
});

describe('a file that no profile fits', () => {
  const FORGOTTEN = 'Check that the right file is configured, and that it was exported with all columns.';

  test.for([
    ['', 'E_EXPORT_EMPTY', 'file.csv: the file is empty.', 'an empty file'],
    ['\n\n,,\n', 'E_EXPORT_EMPTY', 'file.csv: the file is empty.', 'a file of blank lines'],
    [
      header(without('Taxes', 'Refunded Amount')),
      'E_EXPORT_UNKNOWN',
      'file.csv: its columns fit no known export; the nearest is shopify.orders (Shopify orders export), which needs "Taxes", "Refunded Amount" as well.',
      'the nearest profile is named with what is missing',
    ],
    [
      header(['Order ID', ...HEADER, 'Amount Refunded', 'Lineitem variant']),
      'E_EXPORT_UNKNOWN',
      'file.csv: its columns fit no known export; the nearest is shopify.orders (Shopify orders export), which never has "Lineitem variant", "Amount Refunded".',
      'Squarespace has nearly the same words',
    ],
    [
      'first name,last name\nAda,Lovelace\n',
      'E_EXPORT_UNKNOWN',
      'file.csv: its columns fit no known export.',
      'another file altogether',
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
      message: 'file.csv: the columns fit both shopify.orders and shopify.twin.',
      nextStep: 'Name the one that is meant as `profile` of the channel.',
    });
  });

  test('of two profiles that fit, the one that knows more of its columns is meant', async () => {
    const { required } = shopify.detect;
    const special = {
      ...shopify,
      id: 'shopify.plus',
      detect: { required: [...required, 'Source'], forbidden: [] },
    };
    expect((await detect(header(HEADER), [shopify, special])).profile.id).toBe('shopify.plus');
  });
});

test.for([
  ['\uFEFFName', 'name', 'without a byte order mark'],
  ['  Paid   at ', 'paid at', 'without needless blanks'],
  ['CAFE\u0301', 'café', 'composed'],
] as const)('the column %j is %s: %s', ([cell, column]) => {
  expect(normalColumn(cell)).toBe(column);
});
