import { describe, expect, test } from 'vitest';
import { formula } from '../../../src/close/workbook/cell.ts';
import { type Check, checksSheet, passes } from '../../../src/close/workbook/checks-sheet.ts';
import { writeWorkbook } from '../../../src/close/workbook/write-workbook.ts';
import { money } from '../../../src/kernel/money.ts';
import { storedCells } from '../../support/stored-cells.ts';
import { demoWorkbook } from './demo-workbook.ts';
import { temporaryFolder } from './temporary-folder.ts';

const at = temporaryFolder();

const ties = (left: number, right: number, tolerance?: number): Check => ({
  id: 'C1',
  test: 'Left is right.',
  format: 'money',
  left: money(left),
  right: formula('1', money(right)),
  ...(tolerance === undefined ? {} : { tolerance }),
});

describe('a check', () => {
  test.for([
    [100, 100, undefined, true, 'equal'],
    [101, 100, undefined, false, 'a cent apart'],
    [101, 100, 1, true, 'a cent apart is allowed'],
    [98, 100, 1, false, 'apart to the other side'],
  ] as const)('of %i and %i within %s passes: %s (%s)', ([left, right, tolerance, expected]) => {
    expect(passes(ties(left, right, tolerance))).toBe(expected);
  });
});

describe('the sheet of checks', () => {
  const write = async (name: string, checks: readonly Check[]) => {
    const { properties } = demoWorkbook([]);
    await writeWorkbook(at(name), { properties, sheets: [checksSheet(checks)] });
    return storedCells(at(name));
  };
  const verdict = async (name: string, checks: readonly Check[]) =>
    (await write(name, checks)).find(({ place }) => place === 'Checks!B4')?.value;

  test('says in one cell whether all pass', async () => {
    expect(await verdict('good.xlsx', [ties(100, 100), { ...ties(5, 5), id: 'C2' }])).toBe('READY');
    expect(await verdict('bad.xlsx', [ties(100, 100), { ...ties(5, 6), id: 'C2' }])).toBe('NOT READY');
  });
});
