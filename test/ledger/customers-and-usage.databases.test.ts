import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { onEveryDatabase } from '../support/databases.ts';
import { ledgerForSuite } from './ledger-suite.ts';

const CITY_HALL: Parameters<Ledger['customers']['create']>[1] = {
  customer_id: 'city-hall',
  exemption_type: 'government',
  name: 'City of Albany',
  exempt_regions: [{ country: 'US', state: 'NY' }],
  country: 'US',
  state: 'NY',
  zip: '12207',
  city: null,
  street: null,
};

describe('customers', () => {
  onEveryDatabase((databases) => {
    const suite = ledgerForSuite(databases);

    it('are kept, changed in the parts that are named, and removed as a whole', async () => {
      const { customers } = suite.ledger();
      const { id } = await suite.newAccount();
      expect(await customers.create(id, CITY_HALL)).toBe(true);
      expect(await customers.create(id, CITY_HALL)).toBe(false);
      expect(await customers.find(id, 'city-hall')).toEqual(CITY_HALL);

      const changes = { exempt_regions: [], zip: '12210' };
      const everywhere = { ...CITY_HALL, ...changes };
      expect(await customers.update(id, 'city-hall', changes)).toEqual(everywhere);
      expect(await customers.find(id, 'city-hall')).toEqual(everywhere);
      expect(await customers.update(id, 'city-hall', {})).toEqual(everywhere);
      expect(await customers.update(id, 'stranger', changes)).toBeUndefined();

      expect(await customers.remove(id, 'city-hall')).toEqual(everywhere);
      expect(await customers.remove(id, 'city-hall')).toBeUndefined();
      expect(await customers.find(id, 'city-hall')).toBeUndefined();
    });

    it('of one account are not those of another', async () => {
      const { customers } = suite.ledger();
      const [mine, theirs] = [await suite.newAccount(), await suite.newAccount()];
      await customers.create(theirs.id, CITY_HALL);
      expect(await customers.find(mine.id, 'city-hall')).toBeUndefined();
      expect(await customers.list(mine.id)).toEqual([]);
      expect(await customers.update(mine.id, 'city-hall', { name: 'stolen' })).toBeUndefined();
      expect(await customers.remove(mine.id, 'city-hall')).toBeUndefined();
      expect(await customers.find(theirs.id, 'city-hall')).toEqual(CITY_HALL);
    });
  });
});

describe('usage', () => {
  onEveryDatabase((databases) => {
    const suite = ledgerForSuite(databases);

    it('counts every calculation once, per account and month', async () => {
      const { usage } = suite.ledger();
      const [mine, theirs] = [await suite.newAccount(), await suite.newAccount()];
      for (let index = 0; index < 1_000; index += 1) usage.count(mine.id, '2026-10');
      usage.count(mine.id, '2026-11');
      usage.count(theirs.id, '2026-10');
      expect(await usage.of(mine.id, '2026-10')).toBe(1_000);
      usage.count(mine.id, '2026-10');
      await usage.flush();
      expect(await usage.of(mine.id, '2026-10')).toBe(1_001);
      expect(await usage.of(mine.id, '2026-11')).toBe(1);
      expect(await usage.of(theirs.id, '2026-10')).toBe(1);
      expect(await usage.of(theirs.id, '2026-12')).toBe(0);
    });

    it('adds up what several processes count', async () => {
      const other = await suite.reopened();
      const { id } = await suite.newAccount();
      suite.ledger().usage.count(id, '2026-10');
      other.usage.count(id, '2026-10');
      await Promise.all([suite.ledger().flush(), other.flush()]);
      expect(await other.usage.of(id, '2026-10')).toBe(2);
    });

    it('is written before the database closes', async () => {
      const { id } = await suite.newAccount();
      const other = await suite.reopened();
      other.usage.count(id, '2026-10');
      await suite.database().close();
      expect(await (await suite.reopened()).usage.of(id, '2026-10')).toBe(1);
    });

    it('that cannot be written yet is kept until it can', async () => {
      const { usage } = suite.ledger();
      const { id } = await suite.newAccount();
      const tables = suite.database().tables<object>();
      await sql`alter table usage rename to elsewhere`.execute(tables);
      usage.count(id, '2026-10');
      await expect(usage.flush()).rejects.toThrow();
      usage.count(id, '2026-10');
      await expect(usage.flush()).rejects.toThrow();
      await sql`alter table elsewhere rename to usage`.execute(tables);
      expect(await usage.of(id, '2026-10')).toBe(2);
    });
  });
});
