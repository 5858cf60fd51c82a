import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { ordersExport, refundsExport } from '../support/shop-exports.ts';
import { closeManyFiles } from './many-files.ts';

describe('what is unusual about a file', () => {
  test('stands with it in Inputs, and in Exceptions where it may mean something', async () => {
    const shop = await month({ channel: { files: ['exports'] } });
    const write = (name: string, change: (text: string) => string | Buffer): Promise<void> =>
      shop.write(`exports/${name}`, change(ordersExport([{ name: `#${name[0]}` }])));
    await write('1-plain.csv', (text) => text);
    await write('2-old.csv', (text) => Buffer.from(text.replace('Lantern', 'Café'), 'latin1'));
    await write('3-wide.csv', (text) => text.replace('Name,', 'Mood,Name,').replace('\n#3', '\nfine,#3'));
    await write('4-again.csv', (text) => `${text}${text.split('\n')[0]}\n`);
    await write('5-empty.csv', (text) => `${text.split('\n')[0]}\n`);
    await write('6-cut.csv', (text) => text.trimEnd());
    const figures = await shop.close();
    expect([figures.exit_code, figures.states[0]?.orders]).toEqual([0, 5]);
    expect(figures.inputs.map(({ notices }) => notices.map(({ message }) => message))).toEqual([
      [],
      ['read as Windows-1252 text'],
      ['the layout has changed: +Mood'],
      [],
      ['it has a header and no rows'],
      ['its last line has no end; if the file was cut off, its last record is not whole'],
    ]);
    expect(
      figures.exceptions
        .filter(({ file }) => file.startsWith('exports/'))
        .map(({ severity, code, file }) => `${severity} ${code} ${file}`)
        .sort(),
    ).toEqual([
      'notice encoding exports/2-old.csv',
      'notice layout-changed exports/3-wide.csv',
      'notice no-rows exports/5-empty.csv',
      'notice repeated-header exports/4-again.csv',
      'warning no-final-line-end exports/6-cut.csv',
    ]);
    const rows = await shop.rows('Inputs');
    expect(rows.map((row) => row['Notices'])[1]).toBe('read as Windows-1252 text');
  });
});

test('an export without its column of refunds keeps the month from being READY, unless payments tell', async () => {
  const shop = await month({ channel: { files: ['orders.csv'], refundDates: [] } });
  await shop.write('orders.csv', ordersExport([{ name: '#1' }]).replace('Refunded Amount', 'Mood'));
  expect((await shop.close()).readiness.reasons).toMatchObject([{ code: 'no-refund-column' }]);
  const [exception] = (await shop.rows('Exceptions')).filter(
    ({ Code, Severity }) => Severity === 'error' && Code !== 'R20',
  );
  expect(exception).toMatchObject({
    Record: 'orders.csv',
    What: expect.stringContaining('(Refunded Amount)'),
  });
  await shop.write('refunds.csv', refundsExport([{ order: '#1', amount: '50.00' }]));
  await shop.change({
    channel: { files: ['orders.csv'], refundDates: ['refunds.csv'] },
    settings: { policy: { undividedRefunds: 'prorate' } },
  });
  expect((await shop.close()).readiness.reasons).toEqual([]);
  expect(await shop.records()).toEqual(['order 1 100.00 10.75', 'refund 1-refund -45.15 -4.85']);
});

test('a channel of many files in a folder, a pattern and an archive is read whole, each file once', () =>
  closeManyFiles({ loose: 20, packed: 15 }));

describe('a file that was cut off', () => {
  const ORDERS = ordersExport([
    { name: '#2' },
    {
      name: '#1',
      lines: [
        { sku: 'A', quantity: 1, price: '60.00' },
        { sku: 'B', quantity: 1, price: '40.00' },
      ],
    },
  ]);
  const cutAt = async (text: string) => {
    const shop = await month({ orders: [{ name: '#9' }] });
    await shop.run('close', '2026-10', '--only-news');
    await shop.write('orders.csv', text);
    const news = (await shop.run('close', '2026-10', '--only-news')).stdout;
    const { stdout } = await shop.run('close', '2026-10');
    const about = (await shop.rows('Exceptions')).filter(
      ({ Code }) => Code === 'cut-off' || Code === 'no-final-line-end',
    );
    // The record of #9, which no export has any more, waits for a person.
    const open = (await shop.rows('Exceptions')).filter(
      ({ Code, Severity }) => Severity === 'error' && Code !== 'R20',
    );
    return {
      said: stdout,
      news,
      open: open.map(({ What }) => What),
      status: (await shop.run('status', '2026-10')).stdout,
      about: about.map(({ Code, Severity, What }) => [Code, Severity, What]),
    };
  };

  test('at the end of a line is said to be, by the line items that its last order lacks', async () => {
    const { said, about, news, status } = await cutAt(ORDERS.trimEnd().replace(/\n[^\n]*$/, '\n'));
    const message =
      'the file may be cut off: its last record (#1), which ends on line 3, is not whole: the line items do not add up to 100.00, the goods of the order';
    expect(about).toEqual([['cut-off', 'warning', message]]);
    for (const text of [said, news, status]) expect(text).toContain(`cut-off: orders.csv: ${message}`);
  });
});

describe('a channel without sales at an end of the period', () => {
  const sold = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, day) => ({
      name: `#${day}`,
      at: `2026-10-${String(from + day).padStart(2, '0')}`,
    }));
  const silence = async (from: number, to: number) => {
    const shop = await month({ orders: sold(from, to) });
    await shop.close();
    expect(await shop.verify()).toEqual([]);
    return (await shop.rows('Exceptions')).flatMap(({ Code, What }) =>
      Code === 'days-missing' ? [What] : [],
    );
  };

  test('may have an export that was cut off between two records', async () => {
    const message =
      'the exports of "shopify" hold no sale from 2026-10-13 to 2026-10-31, and one at least every 3 days between; they may be cut off';
    expect(await silence(1, 12)).toEqual([message]);
  });
});

describe('a file whose dates state another clock than the configuration', () => {
  const ORDERS = [
    { name: '#1', at: '2026-10-05 09:00:00 -0700' },
    { name: '#2', at: '2026-10-06 09:00:00 -0700' },
    { name: '#3', at: '2026-10-07 16:00:00 +0000' },
  ];
  const said = async (timeZone: string, channel = {}, orders = ORDERS) => {
    const shop = await month({ settings: { timeZone }, channel, orders });
    const { stdout } = await shop.run('close', '2026-10');
    expect(await shop.verify()).toEqual([]);
    const found = (await shop.rows('Exceptions')).filter(({ Code }) => Code === 'time-zone-differs');
    expect(stdout.includes('another offset than')).toBe(found.length > 0);
    return found.map(({ Severity, What }) => [Severity, What]);
  };

  test('has a warning with the number of records and both offsets', async () => {
    const message =
      'the dates of 2 of 2 days state another offset than America/New_York has, such as -07:00 in place of -04:00: some may count for another day or month; correct `timeZone`, or set it for the channel if its shop keeps another clock';
    expect(await said('America/New_York')).toEqual([['warning', message]]);
  });

  test('has none where the zone, or that of the channel, has the offset, or where few records state another', async () => {
    expect(await said('America/Los_Angeles')).toEqual([]);
    expect(await said('America/New_York', { timeZone: 'America/Los_Angeles' })).toEqual([]);
    const one = { name: '#4', at: '2026-10-08 09:00:00 -0400' };
    expect(await said('America/Los_Angeles', {}, [...ORDERS, one])).toEqual([]);
  });
});
