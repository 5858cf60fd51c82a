import { describe, expect, test } from 'vitest';
import { continuation, groupsOf, ORDER_CELLS, row } from './shopify-export.ts';

const shown = (rows: readonly (readonly string[])[]) =>
  groupsOf(rows).map((group) => {
    const lines = group.rows.map(({ line }) => line).join('+');
    return group.kind === 'record' ? `${group.name} ${lines}` : `${group.name} ${lines} ${group.reason}`;
  });

const repeated = (name: string) => row({ 'Lineitem name': name });
const second = row({ Name: '#1002' });
const noName = row({ Name: '' });

describe('rows of one order come together', () => {
  test.for([
    [[row(), second], ['#1001 2', '#1002 3'], 'each order has a row'],
    [
      [row(), continuation(), continuation(), second],
      ['#1001 2+3+4', '#1002 5'],
      'blank order cells continue',
    ],
    [[repeated('Jacket'), repeated('Cap')], ['#1001 2+3'], 'so do repeated order cells with another item'],
    [[row(), continuation(), row()], ['#1001 2+3', '#1001 4'], 'the same first row again is a record again'],
    [
      [row(), row({ Total: '1.00', 'Lineitem name': 'Cap' })],
      ['#1001 2', '#1001 3'],
      'order cells that differ do not continue',
    ],
    [[row(), second, row()], ['#1001 2', '#1002 3', '#1001 4'], 'nor does an order come back behind another'],
    [
      [row(), continuation({ Name: '' }), second],
      ['#1001 2+3', '#1002 4'],
      'so does a line without the name of its order',
    ],
    [[], [], 'of no rows there is no group'],
  ] as const)('$2: $1', ([rows, groups]) => {
    expect(shown(rows)).toEqual(groups);
  });
});

describe('rows that belong to no record', () => {
  test.for([
    [[continuation()], ['#1001 2 orphan-row'], 'a continuation with nothing before it'],
    [[second, continuation()], ['#1002 2', '#1001 3 orphan-row'], 'or another order before it'],
    [
      [second, continuation(), continuation()],
      ['#1002 2', '#1001 3 orphan-row', '#1001 4 orphan-row'],
      'each by itself',
    ],
    [[noName], [' 2 orphan-row'], 'an order without a name'],
    [[row(), noName], ['#1001 2', ' 3 orphan-row'], 'an order without a name behind another'],
    [
      [row(), continuation({ Name: '', 'Created at': '2026-11-01 09:00:00 -0700' })],
      ['#1001 2', ' 3 orphan-row'],
      'a line without a name, of another moment than the order above',
    ],
    [
      [row(), continuation({ Name: '', 'Lineitem name': '' })],
      ['#1001 2', ' 3 orphan-row'],
      'a row with neither name nor item, such as a sum',
    ],
    [[continuation({ Name: '' })], [' 2 orphan-row'], 'a line without a name and with no order before it'],
    [[row().slice(1)], [`${ORDER_CELLS['Financial Status']} 2 cell-count`], 'a row with a cell too few'],
    [[[...row(), 'more']], ['#1001 2 cell-count'], 'a row with a cell too many'],
    [
      [[...continuation(), 'more'], second],
      ['#1001 2 cell-count', '#1002 3'],
      'a stray one with a cell too many',
    ],
    [
      [row(), [...continuation(), 'more'], continuation()],
      ['#1001 2+3+4 cell-count'],
      'a broken row breaks its whole order',
    ],
  ] as const)('$2: $1', ([rows, groups]) => {
    expect(shown(rows)).toEqual(groups);
  });
});
