import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('a backfill that was killed goes on, and ends as if nothing had happened', async () => {
  const orders = ['07', '08', '09', '10'].map((number, index) => ({
    name: `#${number}`,
    at: `2026-${number}-10`,
    price: `${10 * (index + 1)}.00`,
    ...(number === '08' && { tax: '99.99' }),
  }));
  const whole = await month({ orders });
  const cut = await month({ orders });
  const backfill = ['backfill', '2026-07..2026-10'];
  expect((await whole.run(...backfill)).code).toBe(1);
  const killed = await cut.runWith(
    { killWhen: (printed) => printed.includes('plan:'), killAfterMs: 150 },
    ...backfill,
  );
  expect(killed.signal).toBe('SIGKILL');
  expect((await cut.run(...backfill)).code).toBe(1);
  expect(await cut.published()).toEqual(await whole.published());
});
