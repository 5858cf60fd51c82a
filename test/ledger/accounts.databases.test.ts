import { describe, expect, it } from 'vitest';
import { onEveryDatabase } from '../support/databases.ts';
import { ledgerForSuite } from './ledger-suite.ts';

const CALIFORNIA = {
  country: 'US',
  state: 'CA',
  zip: '90404',
  city: 'Santa Monica',
  street: '1 Main St',
};
const NEW_YORK = { country: 'US', state: 'NY' };

describe('accounts', () => {
  onEveryDatabase((databases) => {
    const suite = ledgerForSuite(databases);

    it('are made once per name, and changed after that in what is stated', async () => {
      const { accounts } = suite.ledger();
      const first = await accounts.ensure({ name: 'Northwind', address: CALIFORNIA, nexus: [CALIFORNIA] });
      const second = await accounts.ensure({
        name: 'Northwind',
        nexus: [NEW_YORK],
        buyerUse: 'business',
      });
      expect(first).toEqual({
        id: first.id,
        name: 'Northwind',
        address: CALIFORNIA,
        nexus: [CALIFORNIA],
      });
      expect(second).toEqual({
        id: first.id,
        name: 'Northwind',
        address: CALIFORNIA,
        nexus: [NEW_YORK],
        buyerUse: 'business',
      });
      expect(await accounts.find(first.id)).toEqual(second);
      expect(await accounts.findByName('Northwind')).toEqual(second);
      expect(await (await suite.reopened()).accounts.find(first.id)).toEqual(second);

      expect(await accounts.ensure({ name: 'Northwind' })).toEqual(second);
      const { buyerUse: _, ...without } = second;
      expect(await accounts.ensure({ name: 'Northwind', buyerUse: null })).toEqual(without);
    });

    it('of one name are one, even when they are made at the same time', async () => {
      const { accounts } = suite.ledger();
      const made = await Promise.all(
        [1, 2, 3, 4].map(() => accounts.ensure({ name: 'Contested', nexus: [] })),
      );
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect((await accounts.list()).filter(({ name }) => name === 'Contested')).toHaveLength(1);
    });

    it('changed by another process are seen within a second', async () => {
      const { accounts } = suite.ledger();
      const { id } = await accounts.ensure({ name: 'Distant', nexus: [] });
      await (await suite.reopened()).accounts.ensure({ name: 'Distant', nexus: [NEW_YORK] });
      suite.clock.advance(1_000);
      expect((await accounts.find(id))?.nexus).toEqual([NEW_YORK]);
    });

    it('are no longer found by a revoked key, and by their other keys still', async () => {
      const { keys } = suite.ledger();
      const { id } = await suite.newAccount();
      const lost = await keys.create(id);
      const kept = await keys.create(id);
      expect(await keys.revoke(id, lost.key.id)).toBe(true);
      expect(await keys.revoke(id, lost.key.id)).toBe(false);
      expect(await keys.accountOf(lost.secret)).toBeUndefined();
      expect(await keys.accountOf(kept.secret)).toBe(id);
      expect(await keys.list(id)).toEqual([{ ...lost.key, revokedAt: suite.clock.now() }, kept.key]);
    });

    it('are no longer found, within a second, by a key that another process revoked', async () => {
      const { keys } = suite.ledger();
      const { id } = await suite.newAccount();
      const { key, secret } = await keys.create(id);
      expect(await keys.accountOf(secret)).toBe(id);
      await (await suite.reopened()).keys.revoke(id, key.id);
      suite.clock.advance(1_000);
      expect(await keys.accountOf(secret)).toBeUndefined();
    });

    it('cannot revoke the keys of others', async () => {
      const { keys } = suite.ledger();
      const mine = await suite.newAccount();
      const theirs = await suite.newAccount();
      const { key, secret } = await keys.create(theirs.id);
      expect(await keys.revoke(mine.id, key.id)).toBe(false);
      expect(await keys.accountOf(secret)).toBe(theirs.id);
    });
  });
});
