import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import timers from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { exitCodeOf } from '../../src/kernel/errors.ts';
import { silentProgress } from '../../src/runtime/pipeline.ts';
import { sharedFolder } from '../support/tieout.ts';
import { type FaultMonth, faultMonth } from './fault-month.ts';

const whole = sharedFolder();
let untouched: Awaited<ReturnType<FaultMonth['left']>>;
beforeAll(async () => {
  const shop = await faultMonth({}, whole);
  await shop.closeWith();
  untouched = await shop.left();
});

/** Waiting takes no time; each wait is told, with how many there have been. */
const waiting = (told: (waits: number) => void): void => {
  let waits = 0;
  const spy = vi.spyOn(timers, 'setTimeout').mockImplementation(async (_, value) => {
    waits += 1;
    told(waits);
    await timers.setImmediate();
    return value;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
};

/** Close October, and let somebody else begin to write to its records while the exports are read. */
const closeBeside = (shop: FaultMonth) => {
  let writer: DatabaseSync | undefined;
  const release = (): void => {
    writer?.close();
    writer = undefined;
  };
  onTestFinished(release);
  const started = (name: string): void => {
    if (name !== 'extract') return;
    writer = new DatabaseSync(shop.books);
    writer.exec('begin immediate');
  };
  const close = () => shop.closeWith((ports) => ({ ...ports, progress: { ...silentProgress, started } }));
  return { close, release };
};

/** Another process that has begun to write to a file, and stops after a while. */
const WRITER = `
  const { DatabaseSync } = require('node:sqlite');
  const file = new DatabaseSync(process.argv[1]);
  file.exec('pragma journal_mode = wal; begin immediate');
  process.stdout.write('it writes');
  setTimeout(() => file.close(), 1_000);`;

test('a close waits for another process that writes to its records', async () => {
  const shop = await faultMonth();
  await mkdir(dirname(shop.books));
  const writer = spawn(process.execPath, ['-e', WRITER, shop.books], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(writer.stdout, 'data');
  await shop.closeWith();
  expect(await shop.left()).toEqual(untouched);
});

test('a close waits while somebody else writes to its records when it wants to send', async () => {
  const shop = await faultMonth();
  const { close, release } = closeBeside(shop);
  const waits: number[] = [];
  waiting((count) => {
    waits.push(count);
    if (count === 20) release();
  });
  await close();
  expect(waits.length).toBeGreaterThanOrEqual(20);
  expect(await shop.left()).toEqual(untouched);
});

test('a close that waits for too long says so with exit code 75, and the next one goes on', async () => {
  const shop = await faultMonth();
  const { close, release } = closeBeside(shop);
  waiting(() => {});
  const error = await close().catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'E_DATABASE_BUSY',
    message: expect.stringContaining(`${shop.books} is busy: another process is writing it`),
  });
  expect(exitCodeOf(error)).toBe(75);
  release();
  await shop.closeWith();
  expect(await shop.left()).toEqual(untouched);
});
