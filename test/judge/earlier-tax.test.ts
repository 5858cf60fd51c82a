import { describe, expect, test } from 'vitest';
import { earlierTaxGivenBack, type LateRow, type RefundLink } from '../../src/judge/refund-link.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { money } from '../../src/kernel/money.ts';

const november = { first: calendarDate('2026-11-01') };

const row = (
  id: string,
  kind: 'order' | 'refund',
  collected: number,
  more: Partial<LateRow> = {},
): LateRow => ({
  ...{ channel: 'web', id, kind, state: 'WA', isPosted: true, collected: money(collected) },
  businessDate: calendarDate('2026-10-10'),
  ...more,
});

const link = (id: string, order: string, taxRelieved: number, more: Partial<RefundLink> = {}): RefundLink =>
  ({
    ...{ channel: 'web', id, order, state: 'WA', taxRelieved: money(taxRelieved) },
    refundDate: calendarDate('2026-11-10'),
    orderDate: calendarDate('2026-10-10'),
    ...more,
  }) as RefundLink;

const given = (rows: readonly LateRow[], links: readonly RefundLink[]): Record<string, number> => {
  const earlier = earlierTaxGivenBack(november);
  rows.forEach(earlier.seeRow);
  links.forEach(earlier.see);
  return Object.fromEntries(earlier.all().map(({ state, amount }) => [state, amount]));
};

describe('tax given back for orders of earlier periods', () => {
  test('is that of refunds of earlier and of unknown orders, and not of those of the period', () => {
    const ofNovember = { orderDate: calendarDate('2026-11-02') };
    const unknown = { order: '', orderDate: undefined };
    const links = [link('r1', '1', 1_055), link('r2', '2', 500, ofNovember), link('r3', '', 100, unknown)];
    expect(given([], links)).toEqual({ WA: -1_155 });
  });

  test('is what corrections take off, record by record, and not what they add', () => {
    const less = [row('1-late-1-reversal', 'refund', -1_055), row('1-late-1', 'order', 500)];
    const more = [row('2-late-1-reversal', 'refund', -500), row('2-late-1', 'order', 900)];
    expect(given([...less, ...more], [])).toEqual({ WA: -555 });
  });

  test('is nothing where an order is withdrawn together with its refund, or a refund has another number', () => {
    const order = row('1-late-1-reversal', 'refund', -1_055);
    const refund = row('r1-late-1-reversal', 'order', 1_055);
    expect(given([order, refund], [])).toEqual({});
    expect(given([refund], [link('r9', '1', 1_055)])).toEqual({});
  });

  test('does not mix orders of two channels that have one number', () => {
    const late = row('1', 'order', 1_055, { channel: 'desk' });
    expect(given([late], [link('r1', '1', 1_055)])).toEqual({ WA: -1_055 });
    expect(given([late], [link('r1', '1', 1_055, { channel: 'desk' })])).toEqual({});
  });

  test('follows the first version that was filed, however often an order was corrected', () => {
    const ofNovember = { businessDate: calendarDate('2026-11-03') };
    const rows = [
      row('1-late-1-reversal', 'refund', -1_055),
      row('1-late-1', 'order', 1_055, ofNovember),
      row('1-late-2-reversal', 'refund', -1_055, ofNovember),
      row('1-late-2', 'order', 500, ofNovember),
    ];
    for (const ordered of [rows, rows.toReversed()]) expect(given(ordered, [])).toEqual({ WA: -555 });
  });

  test('counts the versions of a refund together, whatever refunds come between them', () => {
    const rows = [row('r1-late-1-reversal', 'order', 1_055)];
    const links = [link('r1', '1', 1_055), link('r1-late-1', '1', 528), link('r2', '2', 100)];
    for (const ordered of [links, links.toReversed()]) expect(given(rows, ordered)).toEqual({ WA: -628 });
  });
});
