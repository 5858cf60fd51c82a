import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Random, seeded } from '../hostile/random.ts';
import { onEveryDatabase } from '../support/databases.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import { recordsIn } from '../support/records-in.ts';
import { OAKLAND, type Order } from '../support/shop-exports.ts';
import { type RunOptions, withoutLock } from '../support/tieout.ts';

/** `npm run test:crash` tries a hundred seeds on each database, and `CRASH_SEEDS=7` one. */
const [first = 1, last = first] = (process.env['CRASH_SEEDS'] ?? '1-3').split('-').map(Number);
const SEEDS = Array.from({ length: last - first + 1 }, (_, index) => first + index);

const RENO = { city: 'Reno', zip: '89501', state: 'NV' };
const ORDERS: readonly Order[] = Array.from({ length: 24 }, (_, index) => ({
  name: `#${index + 1}`,
  at: `2026-10-${String(index + 1).padStart(2, '0')}`,
  price: `${20 + index}.00`,
  tax: `${2 + (index % 3)}.15`,
  to: index % 2 === 0 ? OAKLAND : RENO,
  ...(index === 4 && { refundedOn: '2026-10-20' }),
}));

/** What a shop has gone through when the close that will be killed begins, and which month that closes. */
const STARTS: readonly ((shop: Month) => Promise<string>)[] = [
  // A new month.
  async () => '2026-10',
  // A month that is closed: since then an order was changed, one is gone, and one is new.
  async (shop) => {
    await shop.close();
    const changed = { ...ORDERS[0], name: '#1', price: '77.00', tax: '8.28' };
    await shop.change({ orders: [changed, ...ORDERS.slice(2), { name: '#99' }] });
    return '2026-10';
  },
  // A month that files what came late for a locked one.
  async (shop) => {
    await shop.close();
    await shop.told(0, 'lock', '2026-10', '--open-exceptions', 'a trial');
    const late = { name: '#98', at: '2026-10-30' };
    await shop.change({ orders: [...ORDERS, late, { name: '#99', at: '2026-11-10' }] });
    return '2026-11';
  },
];

const STAGES = ['', 'extract:', 'recompute:', 'submit:', 'read back:', 'reconcile:'] as const;
const KILLS_MAX = 3;
const START_MS_MAX = 900;
const STAGE_MS_MAX = 120;

/** The process is killed a while after it has reported a stage; the empty one is its start. */
const killOf = (random: Random): RunOptions => {
  const stage = random.pick(STAGES);
  return {
    killWhen: (printed) => printed.includes(stage),
    killAfterMs: random.below(stage === '' ? START_MS_MAX : STAGE_MS_MAX),
  };
};

onEveryDatabase(({ engine, newUrl }) => {
  /** A shop with the beginning of a seed, the month to close, and what is left of it by then and in the end. */
  const begun = async (seed: number) => {
    const url = engine === 'sqlite' ? undefined : await newUrl();
    const settings: Settings = { policy: { lateItems: 'carry' }, ...(url && { databases: { ledger: url } }) };
    const shop = await month({ orders: ORDERS, settings });
    const period = (await STARTS[seed % STARTS.length]?.(shop)) ?? '';
    const ledger = url ?? `sqlite:${join(shop.folder, '.tieout', 'ledger.db')}`;
    const left = async () => ({
      files: withoutLock(await shop.published()),
      records: await recordsIn(ledger),
    });
    const close = (how: RunOptions = {}) => shop.runWith(how, 'close', period);
    return { close, published: () => shop.files(period), left };
  };

  let kills = 0;

  test.for(SEEDS)(
    'a close that is killed ends, when run again, as if nothing had happened: seed %i',
    async (seed) => {
      const random = seeded(seed);
      const whole = await begun(seed);
      const cut = await begun(seed);
      const states = [new Map(), await cut.published()];
      const { code } = await whole.close();
      states.push(await whole.published());
      for (let left = 1 + random.below(KILLS_MAX); left > 0; left -= 1) {
        const killed = await cut.close(killOf(random));
        if (killed.signal === 'SIGKILL') kills += 1;
        else expect(killed).toMatchObject({ code, stderr: '' });
        // The folder of the month is missing, as it was, or complete.
        expect(states).toContainEqual(await cut.published());
      }
      expect(await cut.close()).toMatchObject({ code, stderr: '' });
      expect(await cut.left()).toEqual(await whole.left());
    },
  );

  test('some closes were still at work when they were killed', () => expect(kills).toBeGreaterThan(0));
});
