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
