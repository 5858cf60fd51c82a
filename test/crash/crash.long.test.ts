import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Random, seeded } from '../hostile/random.ts';
import { onEveryDatabase } from '../support/databases.ts';
import type { Order } from '../support/shop-exports.ts';
import { type RunOptions, temporaryFolder, tieout } from '../support/tieout.ts';
import { type Settings, writeMonth } from '../support/write-month.ts';
import { closeShop } from './close-shop.ts';
import { outcomeOf, publishedIn } from './outcome.ts';

/** `npm run test:crash` tries a hundred seeds on each database, and `CRASH_SEEDS=7` one. */
const [first = 1, last = first] = (process.env['CRASH_SEEDS'] ?? '1-3').split('-').map(Number);
const SEEDS = Array.from({ length: last - first + 1 }, (_, index) => first + index);

const PLACES = [
  { city: 'Oakland', zip: '94607', state: 'CA' },
  { city: 'Reno', zip: '89501', state: 'NV' },
] as const;

const ORDERS: readonly Order[] = Array.from({ length: 24 }, (_, index) => ({
  name: `#${index + 1}`,
  at: `2026-10-${String(index + 1).padStart(2, '0')}`,
  price: `${20 + index}.00`,
  tax: `${2 + (index % 3)}.15`,
  to: PLACES[index % 2] ?? PLACES[0],
  ...(index === 4 && { refundedOn: '2026-10-20' }),
}));

/** What a folder holds when the close that will be killed begins, and which month that closes. */
const STARTS: readonly ((folder: string, settings: Settings) => Promise<string>)[] = [
  // A new month.
  async (folder, settings) => {
    await writeMonth(folder, { orders: ORDERS, settings });
    return '2026-10';
  },
  // A month that is closed: since then an order was changed, one is gone, and one is new.
  async (folder, settings) => {
    await writeMonth(folder, { orders: ORDERS, settings });
    await closeShop(folder);
    const [, , ...rest] = ORDERS;
    const changed = { ...ORDERS[0], name: '#1', price: '77.00', tax: '8.28' };
    await writeMonth(folder, { orders: [changed, ...rest, { name: '#99' }], settings });
    return '2026-10';
  },
  // A month that files what came late for a locked one.
  async (folder, settings) => {
    const carrying = { ...settings, policy: { lateItems: 'carry' } };
    await writeMonth(folder, { orders: ORDERS, settings: carrying });
    await closeShop(folder);
    const lock = ['lock', '2026-10', '--open-exceptions', 'a trial', '--config', join(folder, 'tieout.yaml')];
    expect(await tieout(lock)).toMatchObject({ code: 0 });
    const late = { name: '#98', at: '2026-10-30' };
    const orders = [...ORDERS, late, { name: '#99', at: '2026-11-10' }];
    await writeMonth(folder, { orders, settings: carrying });
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

/** What is left in the end, but for the locks, which say when they were made. */
const timelessOf = async ({ folder, ledger }: { readonly folder: string; readonly ledger: string }) => {
  const { files, records } = await outcomeOf(folder, ledger);
  const others = Object.entries(files).filter(([path]) => !path.endsWith('lock.json'));
  return { files: Object.fromEntries(others), records };
};

onEveryDatabase(({ engine, newUrl }) => {
  /** A folder with the beginning of a seed, where its records are, and the month to close. */
  const begun = async (seed: number, name: string) => {
    const folder = join(await temporaryFolder(), name);
    await mkdir(folder);
    const ledger = engine === 'sqlite' ? `sqlite:${join(folder, '.tieout', 'ledger.db')}` : await newUrl();
    const settings = engine === 'sqlite' ? {} : { databases: { ledger } };
    const period = (await STARTS[seed % STARTS.length]?.(folder, settings)) ?? '';
    const before = await publishedIn(folder, period);
    return { folder, ledger, period, before };
  };

  let kills = 0;

  test.for(SEEDS)(
    'a close that is killed ends, when run again, as if nothing had happened: seed %i',
    async (seed) => {
      const random = seeded(seed);
      const whole = await begun(seed, 'whole');
      const cut = await begun(seed, 'cut');
      const { code } = await closeShop(whole.folder, {}, whole.period);
      const published = await publishedIn(whole.folder, whole.period);
      for (let left = 1 + random.below(KILLS_MAX); left > 0; left -= 1) {
        const killed = await closeShop(cut.folder, killOf(random), cut.period);
        if (killed.signal === 'SIGKILL') kills += 1;
        else expect(killed).toMatchObject({ code, stderr: '' });
        // The folder of the month is missing, as it was, or complete.
        expect([{}, cut.before, published]).toContainEqual(await publishedIn(cut.folder, cut.period));
      }
      expect(await closeShop(cut.folder, {}, cut.period)).toMatchObject({ code, stderr: '' });
      expect(await timelessOf(cut)).toEqual(await timelessOf(whole));
    },
  );

  test('some closes were still at work when they were killed', () => expect(kills).toBeGreaterThan(0));
});
