import { describe, expect, test } from 'vitest';
import {
  correctionId,
  entryOf,
  replacements,
  reversalId,
  standing,
} from '../../../src/close/sales/corrections.ts';
import { nameOfKey } from '../../../src/close/sales/sale-name.ts';

const entry = (key: string, corrects?: string) => entryOf(nameOfKey(key), corrects);

describe('a correction', () => {
  test('is told by its id: a new version has the kind of its record, and a reversal the other', () => {
    expect(entry('web/order/5')).toEqual({ of: 'web/order/5', kind: 'order', number: 0, isReversal: false });
    const [version, reversal] = [`web/order/${correctionId('5', 12)}`, `web/refund/${reversalId('5', 12)}`];
    expect(entry(version)).toEqual({ of: 'web/order/5', kind: 'order', number: 12, isReversal: false });
    expect(entry(reversal)).toEqual({ of: 'web/order/5', kind: 'order', number: 12, isReversal: true });
    expect(entry('web/order/r5-late-1-reversal')).toMatchObject({ of: 'web/refund/r5', kind: 'refund' });
  });

  test('is told by the record for which it is late, where that is known', () => {
    expect(entry('web/order/5-late-1', '')).toMatchObject({ of: 'web/order/5-late-1', number: 0 });
    expect(entry('web/order/5-late-1', 'web/order/5-late-1')).toMatchObject({ number: 0, isReversal: false });
    const own = 'web/order/5-late-1';
    expect(entry('web/order/5-late-1-late-2', own)).toMatchObject({ of: own, number: 2, isReversal: false });
    expect(entry('web/refund/5-late-1-late-2-reversal', own)).toMatchObject({ of: own, isReversal: true });
  });

  test('has a number from 1 on', () => {
    expect(entry('web/order/5-late-0')).toMatchObject({ of: 'web/order/5-late-0', number: 0 });
  });
});

describe('what stands of a record', () => {
  const versions = ['web/order/5', 'web/refund/5-late-1-reversal', 'web/order/5-late-1'].map((key) =>
    entry(key),
  );

  test('is its last version, in any order, and nothing once that is taken back', () => {
    const [first, reversal, last] = versions;
    expect(standing(versions)).toEqual([last]);
    expect(standing(versions.toReversed())).toEqual([last]);
    expect(standing(versions.slice(0, 1))).toEqual([first]);
    expect(standing([...versions, entry('web/refund/5-late-2-reversal')])).toEqual([]);
    expect(standing([reversal].flatMap((each) => each ?? []))).toEqual([]);
  });

  test('is not taken back with another record, another kind or another channel', () => {
    const { see, isReplaced } = replacements();
    versions.forEach(see);
    expect(isReplaced(entry('web/order/5'))).toBe(true);
    expect(isReplaced(entry('web/order/5-late-1'))).toBe(false);
    for (const other of ['web/order/55', 'web/refund/5', 'desk/order/5'])
      expect(isReplaced(entry(other))).toBe(false);
  });
});
