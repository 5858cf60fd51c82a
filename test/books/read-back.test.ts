import { expect, test } from 'vitest';
import type { TaxService } from '../../src/contract/tax-service.ts';
import { addDays, type CalendarDate, calendarDate } from '../../src/kernel/calendar.ts';
import { TieoutError } from '../../src/kernel/errors.ts';
import { month } from '../support/month.ts';

/** An order at noon of each day of October, and one in the evening of the last, when it is November in UTC. */
const shopOfDays = () => {
  const at = (day: number, time: string) => `2026-10-${String(day).padStart(2, '0')} ${time} -0700`;
  const orders = Array.from({ length: 31 }, (_, index) => ({
    name: `#${index + 1}`,
    at: at(index + 1, '12:00:00'),
  }));
  return month({ orders: [...orders, { name: '#32', at: at(31, '23:30:00') }] });
};

const tooSlow = () =>
  new TieoutError({
    code: 'E_SERVICE_UNAVAILABLE',
    message: 'the tax service did not answer in time',
    nextStep: 'Run again',
  });

type Ranges = {
  /** Whether the last day of a range is part of it. */
  readonly includesLast: boolean;
  /** Days of a range that takes so long that no answer comes are more than these. */
  readonly daysMax: number;
};

/** The days of a span, both ends included. */
const daysBetween = (first: CalendarDate, last: CalendarDate): CalendarDate[] => {
  const days: CalendarDate[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
};

/** A service that reads ranges of days in its own way, and notes what it is asked. */
const listingBy = (service: TaxService, { includesLast, daysMax }: Ranges) => {
  const ranges: string[] = [];
  const shown: string[] = [];
  const list: TaxService['list'] = async (kind, { provider, ...query }) => {
    if (kind === 'refund') return service.list(kind, { provider, ...query });
    const day = query.transaction_date;
    const first = calendarDate(String(query.from_transaction_date ?? day));
    const last = calendarDate(String(query.to_transaction_date ?? day));
    ranges.push(`${first}..${last}`);
    const days = daysBetween(first, day === undefined && !includesLast ? addDays(last, -1) : last);
    if (day === undefined && days.length > daysMax) throw tooSlow();
    const listed: string[] = [];
    for (const each of days)
      listed.push(
        ...(await service.list('order', {
          transaction_date: each,
          ...(provider !== undefined && { provider }),
        })),
      );
    return listed;
  };
  const showMany: TaxService['showMany'] = (names) => {
    shown.push(...names.map(({ id }) => id));
    return service.showMany(names);
  };
  return { service: { ...service, list, showMany }, ranges, shown };
};

const closeListedBy = async (how: Ranges) => {
  const shop = await shopOfDays();
  let listing: ReturnType<typeof listingBy> | undefined;
  const closed = await shop.closeWith((ports) => {
    listing = listingBy(ports.service, how);
    return { ...ports, service: listing.service };
  });
  return { closed, files: await shop.published(), ...listing };
};

test('what the service holds of a month is read back record by record, once each, however the service reads a range of days', async () => {
  const plain = await closeListedBy({ includesLast: true, daysMax: 40 });
  expect(plain.closed.readBack).toEqual({ read: 32 });
  expect([...new Set(plain.ranges)]).toEqual([
    '2026-09-30..2026-10-08',
    '2026-10-08..2026-10-16',
    '2026-10-16..2026-10-24',
    '2026-10-24..2026-11-01',
    '2026-11-01..2026-11-03',
  ]);
  for (const [includesLast, daysMax] of [
    [false, 40],
    [true, 5],
    [false, 1],
    [true, 0],
  ] as const) {
    const other = await closeListedBy({ includesLast, daysMax });
    expect(other.closed.readBack, `${includesLast} ${daysMax}`).toEqual({
      read: 32,
    });
    expect(new Set(other.shown).size).toBe(other.shown?.length);
    expect(other.files).toEqual(plain.files);
    // A range that takes too long is asked for once, and then by shorter ones.
    if (daysMax === 5)
      expect(other.ranges?.slice(0, 3)).toEqual([
        '2026-09-30..2026-10-08',
        '2026-09-30..2026-10-04',
        '2026-10-04..2026-10-08',
      ]);
  }
});
