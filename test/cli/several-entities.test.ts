import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { tieout } from '../support/tieout.ts';

/** The second was charged the state rate alone. */
const STORE = [{ name: '#1' }, { name: '#2', tax: '7.25' }];

/** A store and an outlet in one configuration, with databases and output in common. */
const storeAndOutlet = async (outletTax = '10.75') => {
  const both = await month({
    entities: {
      store: { orders: STORE },
      outlet: { orders: [{ name: '#1', tax: outletTax }] },
    },
  });
  return { ...both, loseExport: () => rm(join(both.folder, 'store-orders.csv')) };
};

describe('a close of several entities', () => {
  test('closes each as if it were alone, in its own folder and its own account', async () => {
    const alone = await month({
      orders: { 'store-orders.csv': STORE },
      settings: { entity: 'store', name: 'store' },
    });
    await alone.told(0, 'close', '2026-10');
    const both = await storeAndOutlet();
    const ran = await both.run('close', '2026-10');
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/\nstore\nvariance -3\.50: .*\n(?:.*\n)*outlet\nvariance 0\.00: /);

    const files = await both.published();
    for (const [path, bytes] of await alone.published())
      expect(files.get(path)?.equals(bytes), path).toBe(true);
    const ledger = `sqlite:${join(both.folder, '.tieout', 'ledger.db')}`;
    for (const account of ['store', 'outlet'])
      expect((await tieout(['account', 'key', 'list', account, '--ledger', ledger])).code, account).toBe(0);
    const recorded = async (entity: string) => {
      const { stdout } = await both.run('close', '2026-10', '--entity', entity, '--json');
      return (JSON.parse(stdout) as { pull_back: object; submissions: object }).submissions;
    };
    expect(await recorded('store')).toMatchObject({ created: 0, unchanged: 2 });
    expect(await recorded('outlet')).toMatchObject({ created: 0, unchanged: 1 });
  });

  test('bad input of one does not keep the other from closing, and is the exit code', async () => {
    const both = await storeAndOutlet('99.99');
    await both.loseExport();
    const ran = await both.run('close', '2026-10');
    expect(ran.code).toBe(65);
    expect(ran.stderr).toMatch(
      /^store 2026-10: E_EXPORT_MISSING: .*store-orders\.csv: there is no such file\.\n/,
    );
    expect(ran.stdout).toMatch(/\noutlet\nvariance 89\.24: .*\n(?:.*\n)*? {2}open R99 #1 CA \+89\.24: /);
    const written = [...(await both.published()).keys()];
    expect([...new Set(written.map((path) => path.split('/')[0]))]).toEqual(['outlet']);
  });

  test('with --json gives one object with an entry for each, and with --entity the entry alone', async () => {
    const both = await storeAndOutlet();
    await both.loseExport();
    const json = async (...args: readonly string[]) => {
      const ran = await both.run(...args, '--json');
      return [ran.code, JSON.parse(ran.stdout) as object];
    };
    const store = { entity: 'store', exit_code: 65, error: { code: 'E_EXPORT_MISSING' } };
    const outlet = { entity: 'outlet', exit_code: 0, totals: { collected: '10.75' } };
    const told = { period: '2026-10', exit_code: 65, entities: [store, outlet] };
    expect(await json('close', '2026-10')).toMatchObject([65, told]);
    expect(await json('close', '2026-10', '--entity', 'outlet')).toMatchObject([0, outlet]);
    expect(await both.refused('close', '2026-10', '--entity', 'outlt')).toBe('E_ENTITY');
    const plan = { entity: 'outlet', calculations: { sales: 1 }, inputs: [{ rows: 1, used: 1 }] };
    expect(await json('close', '2026-10', '--plan')).toMatchObject([65, { entities: [store, plan] }]);
    const runs = [65, 0].map((exitCode) => ({ periods: [{ period: '2026-10', exitCode }] }));
    expect(await json('status')).toMatchObject([0, { entities: runs }]);
  });
});
