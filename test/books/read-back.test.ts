import { describe, expect, test } from 'vitest';
import type { TaxService } from '../../src/contract/tax-service.ts';
import { addDays, type CalendarDate, calendarDate } from '../../src/kernel/calendar.ts';
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

/** The days of a span, both ends included. */
const daysBetween = (first: CalendarDate, last: CalendarDate): CalendarDate[] => {
  const days: CalendarDate[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
};

/** A service that reads ranges of days in its own way, and notes what it is asked. */
const listingBy = (service: TaxService, includesLast: boolean) => {
  const ranges: string[] = [];
  const shown: string[] = [];
  const list: TaxService['list'] = async (kind, { provider, ...query }) => {
    if (kind === 'refund') return service.list(kind, { provider, ...query });
    const day = query.transaction_date;
    const first = calendarDate(String(query.from_transaction_date ?? day));
    const last = calendarDate(String(query.to_transaction_date ?? day));
    ranges.push(`${first}..${last}`);
    const days = daysBetween(first, day === undefined && !includesLast ? addDays(last, -1) : last);
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

const closeListedBy = async (includesLast: boolean) => {
  const shop = await shopOfDays();
  let listing: ReturnType<typeof listingBy> | undefined;
  const closed = await shop.closeWith((ports) => {
    listing = listingBy(ports.service, includesLast);
    return { ...ports, service: listing.service };
  });
  return { closed, files: await shop.published(), ...listing };
};

test('what the service holds of a month is read back record by record, once each, however the service reads a range of days', async () => {
  const plain = await closeListedBy(true);
  expect(plain.closed.readBack).toEqual({ listed: 32, read: 32, unshown: 0 });
  expect([...new Set(plain.ranges)]).toEqual([
    '2026-09-30..2026-10-04',
    '2026-10-04..2026-10-08',
    '2026-10-08..2026-10-12',
    '2026-10-12..2026-10-16',
    '2026-10-16..2026-10-20',
    '2026-10-20..2026-10-24',
    '2026-10-24..2026-10-28',
    '2026-10-28..2026-11-01',
    '2026-11-01..2026-11-03',
  ]);
  const other = await closeListedBy(false);
  expect(other.closed.readBack).toEqual({ listed: 32, read: 32, unshown: 0 });
  expect(new Set(other.shown).size).toBe(other.shown?.length);
  expect(other.files).toEqual(plain.files);
});

describe('a record that the service lists and answers 404 for', () => {
  const listing =
    (list: (service: TaxService) => TaxService['list']) =>
    <Ports extends { readonly service: TaxService }>(ports: Ports): Ports => ({
      ...ports,
      service: { ...ports.service, list: list(ports.service) },
    });
  const found = async (shop: Awaited<ReturnType<typeof month>>) =>
    (await shop.rows('Exceptions')).filter(({ Code }) => Code === 'listed-not-shown');

  test('is an open exception, once, until it is listed no more or shown', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    await shop.closeWith(
      listing((service) => async (kind, query) => [
        ...(await service.list(kind, query)),
        ...(kind === 'order' ? ['ghost'] : []),
      ]),
    );
    expect(await shop.verify()).toEqual([]);
    expect(await found(shop)).toMatchObject([{ Severity: 'error', Record: 'ghost' }]);
    expect((await shop.told<{ exit_code: number }>(0, 'close', '2026-10')).exit_code).toBe(0);
    expect(await found(shop)).toEqual([]);
  });

  test('is none where the listing takes no notice of the source, and it is shown for its own', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    await shop.closeWith(
      listing(
        (service) =>
          (kind, { provider: _, ...days }) =>
            service.list(kind, { ...days, provider: 'shopify' }),
      ),
    );
    expect(await found(shop)).toEqual([]);
  });
});
