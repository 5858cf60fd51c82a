import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seeded } from '../hostile/random.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import { DAMAGES, damageFile } from './damage-file.ts';

const SEEDS = 6;

const ORDERS = Array.from({ length: 60 }, (_, index) => ({
  name: `#${index + 1}`,
  price: `${20 + index}.00`,
  ...(index % 9 === 0 && { refundedOn: '2026-10-20' }),
}));
const CHANGED = [...ORDERS.slice(2), { name: '#900', price: '12.00' }];

const closedMonth = preparedMonth({ orders: ORDERS }, (shop) => shop.told(0, 'close', '2026-10'));

/** What SQLite does not notice and every value can be read of is found by no one: such a close ends by itself. */
test.each(Object.keys(DAMAGES))(
  'a disk that damages the ledger and %s: designed, named, with the way out, or harmless',
  async (how) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const shop = await closedMonth();
      await shop.change({ orders: CHANGED });
      const path = join(shop.folder, '.tieout', 'ledger.db');
      damageFile(path, how, seeded(seed));
      const { code, stderr } = await shop.run('close', '2026-10', '--quiet');
      if (code === 0 || code === 1) continue;
      expect({ seed, stderr }).toEqual({
        seed,
        stderr: expect.stringMatching(/^E_DATABASE_(?:DAMAGED|FOREIGN): .*docs\/cron\.md/s),
      });
      expect(stderr).toContain(path);
      expect(stderr).not.toContain('defect');
    }
  },
);
