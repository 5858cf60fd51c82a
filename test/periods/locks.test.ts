import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LOCK_FILE } from '../../src/evidence/lock-line.ts';
import { calendarDate, fixedClock, parseInstant } from '../../src/kernel/calendar.ts';
import { sha256 } from '../../src/kernel/json.ts';
import { type FilingPeriod, parseVersion } from '../../src/kernel/period.ts';
import { addLines, completeRegister, type LockPorts, type LockWish } from '../../src/periods/lock.ts';
import { REGISTER, readLocks } from '../../src/periods/locks.ts';
import type { Month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';

const ORDERS = [{ name: '#1' }, { name: '#2', at: '2026-11-02' }, { name: '#3', at: '2026-12-02' }];
const closedMonths = preparedMonth({ orders: ORDERS }, async (shop) => {
  for (const period of ['2026-10', '2026-11', '2026-12']) await shop.told(0, 'close', period);
});

const portsOf = ({ folder }: Month, today = '2027-01-05'): LockPorts => ({
  root: folder,
  entity: 'shop',
  output: join(folder, 'out', 'shop'),
  clock: fixedClock(parseInstant('2027-01-05T09:00:00Z') ?? (0 as never)),
  today: calendarDate(today),
});

const wishOf = (shop: Month, label: string, given: Partial<LockWish> = {}): LockWish => ({
  period: parseVersion(label) as FilingPeriod,
  what: 'locked',
  name: 'Dana Reyes',
  role: '',
  openExceptions: '',
  current: async () => sha256(await readFile(join(shop.out(label), 'evidence/manifest.json'))),
  ...given,
});
const lock = (shop: Month, label: string, given?: Partial<LockWish>) =>
  addLines(portsOf(shop), [wishOf(shop, label, given)]);
const sign = (shop: Month, name: string, role: string, given: Partial<LockWish> = {}) =>
  lock(shop, '2026-10', {
    what: 'signed',
    name,
    role,
    ...given,
  });

const locksOf = async (shop: Month) => {
  const { versions } = await readLocks(portsOf(shop));
  return versions.map(({ name }) => name);
};
const register = (shop: Month) => join(shop.folder, REGISTER);
const lockFile = (shop: Month, label = '2026-10') => join(shop.out(label), LOCK_FILE);

describe('a lock', () => {
  test('is the same line in the register and in the folder, each after the one before', async () => {
    const shop = await closedMonths();
    await sign(shop, 'Ada', 'preparer');
    await lock(shop, '2026-10');
    await lock(shop, '2026-11');
    const lines = (await readFile(register(shop), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        period: '2026-10',
        what: 'signed',
        folder: 'out/shop/2026-10',
        before: '',
        by: { name: 'Ada' },
      },
      {
        period: '2026-10',
        what: 'locked',
        version: 0,
        before: sha256(lines[0] ?? ''),
      },
      { period: '2026-11', what: 'locked', before: sha256(lines[1] ?? '') },
    ]);
    expect(JSON.parse(await readFile(lockFile(shop), 'utf8'))).toEqual(
      lines.slice(0, 2).map((line) => JSON.parse(line)),
    );
    expect(await locksOf(shop)).toEqual(['2026-10', '2026-11']);
  });

  test.for([
    [
      'was cut off between folder and register',
      (shop: Month, first: string) => writeFile(register(shop), first),
    ],
    ['is in the folders alone, because the register is lost', (shop: Month) => rm(register(shop))],
  ] as const)('that %s is completed', async ([, lose]) => {
    const shop = await closedMonths();
    await lock(shop, '2026-10');
    const first = await readFile(register(shop), 'utf8');
    await lock(shop, '2026-11');
    const whole = await readFile(register(shop), 'utf8');
    await lose(shop, first);
    const locks = await readLocks(portsOf(shop));
    expect(locks.periods.map(({ label }) => label)).toEqual(['2026-10', '2026-11']);
    await completeRegister(portsOf(shop), locks);
    expect(await readFile(register(shop), 'utf8')).toBe(whole);
  });
});

describe('what register and folders say differently', () => {
  const BREAKS: Readonly<Record<string, [string, string, (shop: Month) => Promise<unknown>]>> = {
    'a missing folder': ['E_LOCK_UNKNOWN', 'Put', (shop) => rm(shop.out(), { recursive: true })],
    'a changed manifest': [
      'E_LOCK_UNKNOWN',
      'manifest.json is not the one',
      (shop) => append(join(shop.out(), 'evidence/manifest.json'), '\n'),
    ],
    'a changed file': [
      'E_LOCKED_OUTPUT',
      'report.html',
      (shop) => append(join(shop.out(), 'report.html'), ' '),
    ],
    'a missing file': [
      'E_LOCKED_OUTPUT',
      'report.html is missing',
      (shop) => rm(join(shop.out(), 'report.html')),
    ],
    'a folder without its line': ['E_LOCK_UNKNOWN', 'lock.json lacks a line', (shop) => rm(lockFile(shop))],
    'a line of another entity': [
      'E_LOCK_UNKNOWN',
      'a lock of other',
      async (shop) => replace(lockFile(shop, '2026-11'), '"shop"', '"other"'),
    ],
    'a register whose first line is gone': [
      'E_LOCK_UNKNOWN',
      'locks.ndjson:1: it does not continue',
      async (shop) => replace(register(shop), /^.*\n/, ''),
    ],
    'a register of another folder': [
      'E_LOCK_UNKNOWN',
      'append this line',
      async (shop) => {
        await writeFile(register(shop), '');
        await rm(shop.out(), { recursive: true });
      },
    ],
  };
  const append = async (path: string, text: string) =>
    writeFile(path, `${await readFile(path, 'utf8')}${text}`);
  const replace = async (path: string, from: string | RegExp, to: string) =>
    writeFile(path, (await readFile(path, 'utf8')).replace(from, to));

  test.each(Object.entries(BREAKS))(
    '%s is refused, and the message says what to do',
    async (_, [code, text, spoil]) => {
      const shop = await closedMonths();
      for (const label of ['2026-10', '2026-11']) await lock(shop, label);
      await spoil(shop);
      const error = await readLocks(portsOf(shop)).then(
        () => undefined,
        (thrown: { code: string; message: string; nextStep: string }) => thrown,
      );
      expect(error).toMatchObject({ code });
      expect(`${error?.message} ${error?.nextStep}`).toContain(text);
    },
  );
});
