import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import { filesOf } from '../support/tieout.ts';

const ORDERS = [{ name: '#1' }, { name: '#2', refundedOn: '2026-10-20' }, { name: '#3', at: '2026-11-02' }];
const EDITED = [{ name: '#1', price: '41.00' }, ...ORDERS.slice(1), { name: '#4' }];
const OTHER = { orders: [{ name: '#77', price: '12.00' }] };

const workspaceOf = (shop: Pick<Month, 'folder'>) => join(shop.folder, '.tieout', 'workspace.db');

const loseWorkspace = async (shop: Month): Promise<void> => {
  for (const end of ['', '-wal', '-shm']) await rm(`${workspaceOf(shop)}${end}`, { force: true });
};

const sign = async (shop: Month, name: string, role: string) =>
  expect((await shop.run('sign', '2026-10', '--as', name, '--role', role)).code).toBe(0);

/** October closed, signed twice and locked; `older.db` is the workspace between the close and the signatures. */
const filedMonth = preparedMonth({ orders: ORDERS }, async (shop) => {
  await shop.told(0, 'close', '2026-10');
  await cp(workspaceOf(shop), join(shop.folder, 'older.db'));
  await sign(shop, 'Dana Reyes', 'preparer');
  await sign(shop, 'Kim Osei', 'reviewer');
  await cp(workspaceOf(shop), join(shop.folder, 'signed.db'));
  await shop.told(0, 'lock', '2026-10', '--as', 'Dana Reyes');
  const other = await month(OTHER);
  await other.told(0, 'close', '2026-10');
  await other.told(0, 'lock', '2026-10', '--as', 'Somebody Else');
  await cp(workspaceOf(other), join(shop.folder, 'foreign.db'));
});

const inPlace = (name: string) => async (shop: Month) => {
  await loseWorkspace(shop);
  await cp(join(shop.folder, name), workspaceOf(shop));
};

const WORKSPACES: Readonly<Record<string, (shop: Month) => Promise<void>>> = {
  lost: loseWorkspace,
  empty: async (shop) => {
    await loseWorkspace(shop);
    await writeFile(workspaceOf(shop), '');
  },
  'older than the signatures': inPlace('older.db'),
  'older than the lock': inPlace('signed.db'),
  foreign: inPlace('foreign.db'),
};

const COMMANDS: readonly (readonly string[])[] = [
  ['close', '2026-10'],
  ['close', '2026-11'],
  ['backfill', '2026-09..2026-11'],
  ['late', '2026-10', '--carry'],
  ['lock', '2026-10'],
  ['unlock', '2026-10', '--reason', 'a try'],
  ['sign', '2026-10', '--as', 'Ada', '--role', 'preparer'],
];

describe.each(Object.entries(WORKSPACES))('a workspace that is %s', (_, replace) => {
  test('thaws no filed month: every command that writes or sends is refused before it does', async () => {
    const shop = await filedMonth();
    const [published, records] = [await shop.published(), await shop.records()];
    await replace(shop);
    await shop.change({ orders: EDITED });
    for (const command of COMMANDS) {
      const { code, stderr } = await shop.run(...command);
      expect({ command, code, stderr }).toEqual({
        command,
        code: 65,
        stderr: expect.stringContaining('E_LOCK_UNKNOWN'),
      });
      expect(stderr).toContain(shop.out());
      expect(stderr).toContain('a lock of shop 2026-10 that was set by Dana Reyes on 20');
      expect(stderr).toMatch(/tieout restore.*tieout adopt/s);
    }
    expect(await shop.published()).toEqual(published);
    expect((await shop.manifest()).approvals.length).toBe(2);
    // Nothing may be asked of the service beside a folder that is refused.
    await rm(join(shop.folder, 'out'), { recursive: true });
    expect(await shop.records()).toEqual(records);
  });

  test('is found by the doctor, who names the folder and the way out, and makes no workspace', async () => {
    const shop = await filedMonth();
    await replace(shop);
    const before = [...(await filesOf(join(shop.folder, '.tieout'))).keys()];
    const { code, stdout, stderr } = await shop.run('doctor');
    expect({ code, stderr }).toEqual({ code: 65, stderr: '' });
    expect(stdout).toMatch(
      /^!! locks +E_LOCK_UNKNOWN: .*a lock of shop 2026-10 .*workspace\.db does not hold/m,
    );
    expect(stdout).toMatch(
      /^ +Put back the workspace .*tieout restore .*tieout adopt .*2026-10 --config \S+`$/m,
    );
    expect([...(await filesOf(join(shop.folder, '.tieout'))).keys()]).toEqual(before);
  });

  test('is given the month back by adopt, unless it holds another lock of it', async () => {
    const shop = await filedMonth();
    const [published, records] = [await shop.published(), await shop.records()];
    await replace(shop);
    await shop.change({ orders: EDITED });
    const adopted = await shop.run('adopt', shop.out(), '--as', 'Ada');
    if (replace === WORKSPACES['foreign']) {
      expect({ code: adopted.code, stderr: adopted.stderr }).toEqual({
        code: 65,
        stderr: expect.stringMatching(/E_ADOPT_REFUSED: .* holds another lock of 2026-10/),
      });
      expect(await shop.refused('close', '2026-10')).toBe('E_LOCK_UNKNOWN');
      return;
    }
    expect({ code: adopted.code, stderr: adopted.stderr }).toEqual({ code: 0, stderr: '' });
    expect(adopted.stdout).toContain('2026-10 is locked: 3 records');
    expect((await shop.run('adopt', shop.out())).stdout).toContain('was locked in the workspace already');

    expect((await shop.run('close', '2026-10', '--quiet')).code).toBe(0);
    expect(await shop.published()).toEqual(published);
    expect(await shop.records()).toEqual(records);
    expect(await shop.verify()).toEqual([]);
    const late = await shop.told<{ open: object[] }>(1, 'late', '2026-10');
    expect(late.open).toMatchObject([
      { record: '#1', kind: 'changed' },
      { record: '#4', kind: 'new' },
    ]);
    expect((await shop.run('audit-pack', '2026-10')).code).toBe(0);
    expect((await shop.run('status')).stdout).toMatch(
      /2026-10 +locked, digest.*2026-10 +locked on .* by Dana Reyes\n2026-10 +adopted on .* by Ada/s,
    );
    const refused = await shop.run('sign', '2026-10', '--as', 'Ada', '--role', 'preparer');
    expect(refused.stderr).toContain('E_PERIOD_LOCKED');
  });
});

test('a workspace that a refused run left empty gives way to the backup, and the ledger beside it stays', async () => {
  const shop = await filedMonth();
  const copies = join(shop.folder, 'copies');
  expect((await shop.run('backup', copies)).code).toBe(0);
  const records = await shop.records();
  await loseWorkspace(shop);
  expect(await shop.refused('close', '2026-10')).toBe('E_LOCK_UNKNOWN');
  const restored = await shop.run('restore', copies);
  expect({ code: restored.code, stderr: restored.stderr }).toEqual({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(
    /^workspace: .*workspace\.db was empty\nledger: left as it is: .* is sound\nNext: close every month again/,
  );
  expect((await shop.run('close', '2026-10', '--quiet')).code).toBe(0);
  expect(await shop.records()).toEqual(records);

  await inPlace('foreign.db')(shop);
  const { stderr } = await shop.run('close', '2026-10');
  const [, wayOut = ''] = /`tieout restore BACKUP (.*?)`/.exec(stderr) ?? [];
  expect((await shop.run('restore', copies, ...wayOut.split(' '))).code).toBe(0);
  expect((await shop.run('close', '2026-10', '--quiet')).code).toBe(0);
});

describe('a month that was adopted', () => {
  const adoptedMonth = async () => {
    const shop = await filedMonth();
    await loseWorkspace(shop);
    expect((await shop.run('adopt', join(shop.folder, 'out', 'shop'))).code).toBe(0);
    return shop;
  };

  test('has its late items carried by the next one, with the figures that it was filed with', async () => {
    const shop = await adoptedMonth();
    await shop.change({ orders: EDITED });
    const carried = await shop.told(0, 'late', '2026-10', '--carry', '--as', 'Ada');
    expect(carried).toMatchObject({ decided: [{ record: '#1' }, { record: '#4' }] });
    await shop.told(0, 'close', '2026-11');
    expect(await shop.verify('2026-11')).toEqual([]);
    const { content } = (await shop.manifest('2026-11')) as unknown as {
      content: { previous: { contentDigest: string } };
    };
    expect(content.previous.contentDigest).toBe(
      ((await shop.manifest()) as unknown as { contentDigest: string }).contentDigest,
    );

    // The next month, locked and lost as well, comes back with what was carried into it.
    await shop.told(0, 'lock', '2026-11', '--open-exceptions', 'not over yet', '--as', 'Ada');
    const published = await shop.published();
    await loseWorkspace(shop);
    expect(await shop.refused('close', '2026-12')).toBe('E_LOCK_UNKNOWN');
    const out = join(shop.folder, 'out', 'shop');
    expect((await shop.run('adopt', join(out, '2026-11'), join(out, '2026-10'))).code).toBe(0);
    const late = await shop.told<{ open: object[]; decided: object[] }>(0, 'late', '2026-10');
    expect(late.open).toEqual([]);
    for (const period of ['2026-10', '2026-11']) await shop.run('close', period, '--quiet');
    expect(await shop.published()).toEqual(published);
    expect(await shop.refused('unlock', '2026-10', '--reason', 'a try')).toBe('E_PERIOD_BOUND');
  });

  test('comes back with its amended version, after it and not before', async () => {
    const shop = await filedMonth();
    await shop.change({ orders: EDITED });
    await shop.told(0, 'late', '2026-10', '--amend', '--as', 'Ada', '--open-exceptions', 'none');
    const published = await shop.published();
    await loseWorkspace(shop);
    const amended = shop.out('2026-10-amended-1');
    const early = await shop.run('adopt', amended);
    expect([early.code, early.stderr]).toEqual([65, expect.stringContaining('it amends 2026-10')]);
    expect((await shop.run('adopt', join(shop.folder, 'out', 'shop'))).code).toBe(0);
    expect(await shop.told(0, 'late', '2026-10')).toMatchObject({ open: [] });
    await shop.run('close', '2026-10', '--quiet');
    await shop.run('close', '2026-10-amended-1', '--quiet');
    expect(await shop.published()).toEqual(published);
  });

  test('can be unlocked, closed again and locked again; the folder then carries the new lock', async () => {
    const shop = await adoptedMonth();
    expect((await shop.run('unlock', '2026-10', '--reason', 'wrong export')).code).toBe(0);
    expect([...(await shop.files()).keys()].filter((path) => path.includes('lock'))).toEqual([]);
    await shop.change({ orders: EDITED });
    const closed = await shop.run('close', '2026-10', '--quiet');
    expect([closed.code, closed.stderr]).toEqual([
      0,
      expect.stringMatching(
        /the signatures of Dana Reyes as preparer .* and Kim Osei as reviewer .* are void/,
      ),
    ]);
    expect(await shop.records()).toContain('order 1 41.00 4.41');
    await shop.told(0, 'lock', '2026-10');
    expect(await shop.verify()).toEqual([]);
  });
});

describe('adopt', () => {
  test('takes signatures back where the month was not locked, and says that it is to be closed again', async () => {
    const shop = await month({ orders: ORDERS });
    await shop.told(0, 'close', '2026-10');
    await sign(shop, 'Dana Reyes', 'preparer');
    const published = await shop.published();
    await loseWorkspace(shop);
    const refused = await shop.run('close', '2026-10');
    expect([refused.code, refused.stderr]).toEqual([
      65,
      expect.stringMatching(/E_LOCK_UNKNOWN: .*the signature of Dana Reyes as preparer of 20/),
    ]);
    const adopted = await shop.run('adopt', shop.out());
    expect([adopted.code, adopted.stdout]).toEqual([
      0,
      '2026-10 is signed and not locked, 1 signature: close it again before it is locked\n',
    ]);
    expect((await shop.run('close', '2026-10', '--quiet')).code).toBe(0);
    expect(await shop.published()).toEqual(published);
  });

  test.each([
    ['a file of the month', 'variance.xlsx'],
    ['the statement of its lock', 'evidence/lock.json'],
    ['the books of its lock', 'evidence/lock-books.ndjson.gz'],
  ])('refuses a folder in which %s was changed, and changes nothing', async (_, path) => {
    const shop = await filedMonth();
    const file = join(shop.out(), path);
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    await writeFile(file, bytes);
    expect((await shop.verify()).length).toBe(1);
    await loseWorkspace(shop);
    expect(await shop.refused('adopt', shop.out())).toBe('E_PACK_CHANGED');
    expect(await shop.told(65, 'status')).toMatchObject({ locks: [] });
    expect(await shop.refused('close', '2026-10')).toBe('E_LOCK_UNKNOWN');
  });

  test('refuses a lock that the workspace has taken away since', async () => {
    const shop = await filedMonth();
    const copy = join(shop.folder, 'copy', '2026-10');
    await cp(shop.out(), copy, { recursive: true });
    expect((await shop.run('unlock', '2026-10', '--reason', 'wrong export', '--as', 'Ada')).code).toBe(0);
    const refused = await shop.run('adopt', copy);
    expect([refused.code, refused.stderr]).toEqual([
      65,
      expect.stringContaining('Ada unlocked 2026-10: wrong export'),
    ]);
  });
});

test('the doctor finds a workspace well that holds what is locked and signed', async () => {
  const { code, stdout } = await (await filedMonth()).run('doctor');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^OK locks +the workspace holds what is locked and signed in .*out\/shop$/m);
});
