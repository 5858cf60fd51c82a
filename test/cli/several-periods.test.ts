import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import { AUSTIN } from '../support/shop-exports.ts';

const RANGE = '2026-08..2026-09';
const ORDERS = [
  { name: '#1', at: '2026-08-10' },
  { name: '#2', at: '2026-09-10' },
];

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

describe('a close that covers several periods of a return', () => {
  test('is NOT READY wherever it is shown, as its return is, and says which period to close', async () => {
    const shop = await month({ orders: ORDERS });
    const { code, stdout } = await shop.run('close', RANGE);
    expect([code, lastLine(stdout)]).toEqual([
      1,
      expect.stringMatching(`^${RANGE}: NOT READY, exit code 1, variance 0.00, 0 open exceptions, `),
    ]);
    expect(stdout).toContain(
      `NOT READY: 1 reason, effect on tax 0.00\n  several-periods CA: The return is for 2026-08 alone, and this close covers ${RANGE}.\n    to do: File it from a close of its own period: \`tieout close 2026-08 --config ${shop.config}\`. Close each later period, too.\n`,
    );
    // What this close adds up is on no single return, so nothing of it is due, and there is nothing to decide.
    expect(stdout).not.toContain('or decide: ');
    expect(stdout).not.toContain('due: ');
    const status = (await shop.run('status', RANGE)).stdout;
    expect(status).toMatch(/^ {19}CA {2}NOTHING TO FILE {4}see 2026-08, several-periods$/m);
    expect(status).not.toMatch(/To pay:/);
    expect(status).toMatch(/^Next: .*`tieout close 2026-08 --config \S+`\. Close each later period, too\.$/m);
    const filing = shop.book(RANGE, 'filing-summary');
    expect(await sheetText(filing, 'Pay')).toContain('NOT READY');
    expect(await shop.refused('lock', RANGE)).toBe('E_PERIOD_OPEN');
    expect(await shop.verify(RANGE)).toEqual([]);
  });

  test('is READY for the return of exactly its period; the others are filed from closes of their own', async () => {
    const shop = await month({
      orders: [...ORDERS, { name: '#3', at: '2026-09-11', to: AUSTIN, tax: '8.25' }],
      settings: {
        registrations: [
          { state: 'CA', since: '2019-01-01', frequency: 'quarterly' },
          { state: 'TX', since: '2019-01-01', frequency: 'monthly' },
        ],
      },
    });
    const { readiness, exit_code } = await shop.close('2026-Q3');
    expect([exit_code, readiness.reasons]).toEqual([0, []]);
    const { stdout } = await shop.run('status', '2026-Q3');
    expect(stdout).toMatch(/^ {19}CA {2}TO FILE /m);
    expect(stdout).toMatch(/^ {19}TX {2}NOTHING TO FILE /m);
    const all = (await shop.run('status')).stdout;
    for (const label of ['2026-07', '2026-08', '2026-09'])
      expect(all).toMatch(new RegExp(`^${label} +not closed: TX, OVERDUE, pay by`, 'm'));
  });

  test('has no amount for a return whose quarter ends within the closed one, and says when it was due', async () => {
    const since = '2019-01-01';
    const shop = await month({
      orders: ORDERS,
      settings: {
        registrations: [
          { state: 'CA', since, frequency: 'quarterly' },
          { state: 'NY', since, frequency: 'quarterly' },
        ],
      },
    });
    await shop.close('2026-Q3');
    const { stdout } = await shop.run('status');
    expect(stdout).toMatch(/^ {19}NY {2}NOTHING TO FILE +see 2026-06\.\.2026-08$/m);
    expect(stdout).toMatch(/^2026-06\.\.2026-08 +not closed: NY, OVERDUE, pay by Mon, Sep 21/m);
    const pay = await sheetText(shop.book('2026-Q3', 'filing-summary'), 'Pay');
    expect(pay).toMatch(/NY \|.*NOTHING TO FILE.*This return is of 2026-06\.\.2026-08\./);
    await shop.close('2026-06..2026-08');
    expect((await shop.run('status')).stdout).not.toMatch(/not closed: NY/);
  });

  test('names the first return that a state has, where its registration begins within the closed period', async () => {
    const shop = await month({
      orders: ORDERS,
      settings: {
        registrations: [
          { state: 'CA', since: '2019-01-01', frequency: 'quarterly' },
          { state: 'FL', since: '2026-09-10' },
          { state: 'TX', since: '2026-08-15' },
          { state: 'WA', since: '2019-01-01' },
        ],
      },
    });
    await shop.close('2026-Q3');
    const pay = await sheetText(shop.book('2026-Q3', 'filing-summary'), 'Pay');
    const due = [...pay.matchAll(/^([A-Z]{2}) \|.* \| ([A-Z][a-z]{2} \d+, \d{4}) \|/gm)];
    expect(due.map(([, state, day]) => `${state} ${day}`).sort()).toEqual([
      'CA Nov 2, 2026',
      'FL Oct 20, 2026',
      'TX Sep 21, 2026',
      'WA Aug 25, 2026',
    ]);
    const saidOf = (label: string) => `This return is of ${label}. \`tieout close ${label}\` makes it.`;
    for (const label of ['2026-07', '2026-08', '2026-09'])
      expect(pay).toContain(`${saidOf(label)} Close each later period, too.`);
    const status = (await shop.run('status')).stdout;
    expect(status).toMatch(/^ {19}FL {2}NOTHING TO FILE +see 2026-09$/m);
    expect(status).toMatch(/^ {19}TX {2}NOTHING TO FILE +see 2026-08$/m);
    expect(status).not.toMatch(/^2026-07 +not closed: TX/m);
  });
});
