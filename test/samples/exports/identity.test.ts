import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shippedProfiles } from '../../../src/sales/detect-profile.ts';
import { trialsIn } from './list-sample.ts';

type Cells = Readonly<Record<string, string>>;

/** What files of one profile become, given by their filled cells; each record as id, outcome and law's day. */
const recordsOf = async (profile: string, files: Readonly<Record<string, readonly Cells[]>>) => {
  const columns = shippedProfiles().find(({ id }) => id === profile)?.columns ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'tieout-identity-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, rows] of Object.entries(files)) {
    const cells = rows.map((row) => columns.map((column) => row[column] ?? ''));
    await writeFile(join(folder, name), stringify([[...columns], ...cells]));
  }
  const trials = await trialsIn(folder, Object.keys(files));
  return trials.flatMap((trial) => {
    if ('error' in trial) throw new Error(trial.error.message);
    return [
      ...trial.sales.map(({ id, outcome, tax_date }) => `${id} ${outcome} ${tax_date}`),
      ...trial.set_aside.map(({ record, reasons: [reason] }) => `${record} ${reason?.code}`),
    ];
  });
};

const amazon = (at: string, price: string, cells: Cells = {}): Cells => ({
  'date/time': at,
  'settlement id': '1',
  type: 'Order',
  'order id': '112-1',
  sku: 'TC-1',
  quantity: '1',
  marketplace: 'amazon.com',
  'order city': 'Oakland',
  'order state': 'CA',
  'order postal': '94610',
  'product sales': price,
  total: price,
  ...cells,
});
const FIRST = amazon('Oct 30, 2026 1:00:00 PM PDT', '20');
const SECOND = amazon('Nov 2, 2026 1:00:00 PM PST', '10');
const back = (at: string): Cells => amazon(at, '-5', { type: 'Refund' });

describe('one order of Amazon', () => {
  test.for([
    [
      { 'oct.csv': [FIRST], 'nov.csv': [SECOND] },
      ['112-1 accepted 2026-10-30', '112-1-S2 accepted 2026-11-02'],
      'ships in two months',
    ],
    [
      { 'oct.csv': [FIRST, SECOND], 'nov.csv': [SECOND] },
      ['112-1 accepted 2026-10-30', '112-1-S2 accepted 2026-11-02', '112-1 duplicate'],
      'stands in two windows that overlap',
    ],
    [
      { 'oct.csv': [FIRST, back('Oct 31, 2026 1:00:00 PM PDT'), back('Nov 3, 2026 1:00:00 PM PST')] },
      ['112-1 accepted 2026-10-30', '112-1-refund accepted 2026-10-30', '112-1-refund-2 accepted 2026-10-30'],
      'is given back twice, at the law of its own day',
    ],
    [
      { 'oct.csv': [back('Nov 3, 2026 1:00:00 PM PST'), FIRST] },
      ['112-1-refund accepted 2026-10-30', '112-1 accepted 2026-10-30'],
      'may stand behind its refund',
    ],
    [
      {
        'oct.csv': [
          FIRST,
          SECOND,
          amazon('Nov 9, 2026 1:00:00 PM PST', '1', { 'order id': '113-1' }),
          { ...SECOND, 'product sales': '11', total: '11' },
        ],
      },
      [
        '112-1 accepted 2026-10-30',
        '113-1 accepted 2026-11-09',
        '112-1 conflicting-duplicate',
        '112-1 conflicting-duplicate',
      ],
      'whose second shipment contradicts itself loses that shipment only',
    ],
  ] as const)('$2', async ([files, expected]) => {
    expect(await recordsOf('amazon.date-range', files)).toEqual(expected);
  });
});
