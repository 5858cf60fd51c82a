import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { remoteTaxService } from '../../../../src/client/remote-tax-service.ts';
import type { ClosePorts } from '../../../../src/close/stages/close-ports.ts';
import { type ListedWindow, listedWindows } from '../../../../src/close/stages/pull-back/listed-windows.ts';
import { addDays, calendarDate } from '../../../../src/kernel/calendar.ts';
import { daysBetween } from '../../../../src/kernel/period.ts';

const OCTOBER = { first: calendarDate('2026-10-01'), last: calendarDate('2026-10-31') };
const DAYS = daysBetween(addDays(OCTOBER.first, -3), addDays(OCTOBER.last, 3));

/** A service that holds one order a day, and how it reads a range. */
const listing = async (service: {
  readonly includesLast: boolean;
  readonly daysMax: number;
  readonly each?: number;
}) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const day = searchParams.get('transaction_date');
    const first = searchParams.get('from_transaction_date') ?? day ?? '';
    const last = searchParams.get('to_transaction_date') ?? day ?? '';
    asked.push(`${first}..${last}`);
    const days = DAYS.filter(
      (one) => first <= one && (one < last || (one === last && (day !== null || service.includesLast))),
    );
    if (day === null && days.length > service.daysMax) return;
    const orders = days.flatMap((one) =>
      Array.from({ length: service.each ?? 1 }, (_, index) => `${one}-${index}`),
    );
    const kind = pathname.endsWith('orders') ? 'orders' : 'refunds';
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ [kind]: kind === 'orders' ? orders : [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const remote = remoteTaxService({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/`,
    key: 'any',
    connections: 1,
    timeoutMs: 200,
    retry: { retries: 3, firstPauseMs: 1 },
  });
  onTestFinished(remote.close);
  const ports = {
    service: remote.service,
  } as unknown as ClosePorts;
  const windows: ListedWindow[] = [];
  for await (const window of listedWindows(ports, OCTOBER, ['shopify']))
    if (window.kind === 'order') windows.push(window);
  return { windows, asked };
};

const wanted = daysBetween(addDays(OCTOBER.first, -1), addDays(OCTOBER.last, 1)).map((day) => `${day}-0`);

describe('the listing of a month', () => {
  test.for([
    [true, 40, 'the last day of a range is part of it'],
    [false, 40, 'the last day of a range is not part of it'],
    [true, 3, 'more than three days take too long'],
    [false, 1, 'more than one day takes too long'],
    [true, 0, 'every range takes too long, and only single days are answered'],
  ] as const)(
    'finds every day of it once (last day %s, %i days at the most): %s',
    async ([includesLast, daysMax]) => {
      const { windows } = await listing({ includesLast, daysMax });
      const fresh = windows.flatMap((window) => window.fresh);
      expect(new Set(fresh).size).toBe(fresh.length);
      expect(fresh).toEqual(expect.arrayContaining(wanted));
      for (const { first, last, ids } of windows)
        for (const day of daysBetween(first, last)) expect(ids.has(`${day}-0`), day).toBe(true);
    },
  );

  test('takes few calls where little is held, and one try for a range that takes too long', async () => {
    const quick = await listing({ includesLast: true, daysMax: 40 });
    expect(quick.windows.map(({ first, last }) => `${first}..${last}`)).toEqual([
      '2026-09-30..2026-10-07',
      '2026-10-08..2026-10-23',
      '2026-10-24..2026-11-01',
    ]);
    const slow = await listing({ includesLast: true, daysMax: 5 });
    expect(slow.asked.slice(0, 2)).toEqual(['2026-09-30..2026-10-08', '2026-09-30..2026-10-04']);
  });

  test('takes shorter ranges where much is held', async () => {
    const { windows } = await listing({ includesLast: true, daysMax: 40, each: 3_000 });
    expect(windows.map(({ first, last }) => daysBetween(first, last).length).slice(0, 4)).toEqual([
      8, 4, 4, 4,
    ]);
  });
});
