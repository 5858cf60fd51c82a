import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import timers from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { exitCodeOf } from '../../src/kernel/exit-code.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { closeHere, portsHere } from '../support/close-here.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { booksOf, leftIn, workspaceOf, writeFaultShop } from './fault-shop.ts';

const whole = mkdtempSync(join(tmpdir(), 'tieout-faults-'));
let untouched: Awaited<ReturnType<typeof leftIn>>;
beforeAll(async () => {
  await writeFaultShop(whole);
  await closeHere(whole);
  untouched = await leftIn(whole);
});
afterAll(() => rm(whole, { recursive: true, force: true }));

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

/** Close October, and when a stage begins let somebody else begin to write to a database file. */
const closeBeside = async (folder: string, stage: string, path: string) => {
  let writer: DatabaseSync | undefined;
  const release = (): void => {
    writer?.close();
    writer = undefined;
  };
  onTestFinished(release);
  const started = (name: string): void => {
    if (name !== stage) return;
    writer = new DatabaseSync(path);
    writer.exec('begin immediate');
  };
  const close = () =>
    portsHere(folder, (ports) =>
      monthlyClose.run({ ...ports, progress: { ...silentProgress, started } }, { period: '2026-10' }),
    );
  return { close, release };
};

const PLACES = [
  ['recompute', workspaceOf],
  ['submit', booksOf],
  ['report', workspaceOf],
] as const;

/** Another process that has begun to write to a file, and stops after a while. */
const WRITER = `
  const { DatabaseSync } = require('node:sqlite');
  const file = new DatabaseSync(process.argv[1]);
  file.exec('pragma journal_mode = wal; begin immediate');
  process.stdout.write('it writes');
  setTimeout(() => file.close(), 1_000);`;

test.for([
  ['workspace', workspaceOf],
  ['books', booksOf],
] as const)('a close waits for another process that writes to its %s', async ([, pathIn]) => {
  const folder = await temporaryFolder();
  await writeFaultShop(folder);
  await mkdir(dirname(pathIn(folder)));
  const writer = spawn(process.execPath, ['-e', WRITER, pathIn(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(writer.stdout, 'data');
  await closeHere(folder);
  expect(await leftIn(folder)).toEqual(untouched);
});

test.for(PLACES)(
  'a close waits while somebody else writes to its database: from %s on',
  async ([stage, pathIn]) => {
    const folder = await temporaryFolder();
    await writeFaultShop(folder);
    const { close, release } = await closeBeside(folder, stage, pathIn(folder));
    const waits: number[] = [];
    waiting((count) => {
      waits.push(count);
      if (count === 20) release();
    });
    await close();
    expect(waits.length).toBeGreaterThanOrEqual(20);
    expect(await leftIn(folder)).toEqual(untouched);
  },
);

test.for(PLACES)(
  'a close that waits for too long says so with exit code 75, and the next one goes on: from %s on',
  async ([stage, pathIn]) => {
    const folder = await temporaryFolder();
    await writeFaultShop(folder);
    const { close, release } = await closeBeside(folder, stage, pathIn(folder));
    waiting(() => {});
    const error = await close().catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'E_DATABASE_BUSY',
      message: expect.stringContaining(`${pathIn(folder)} is being written by another process`),
    });
    expect(exitCodeOf(error)).toBe(75);
    release();
    await closeHere(folder);
    expect(await leftIn(folder)).toEqual(untouched);
  },
);
