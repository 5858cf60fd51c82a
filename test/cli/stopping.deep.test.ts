import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filesOf, sampleMerchant, temporaryFolder, tieout } from '../support/tieout.ts';
import { serving } from './serving.ts';

const START = fileURLToPath(new URL('../../dist/tieout.js', import.meta.url));

/** The sample's merchant with a service of its own over HTTP; the settings of a service in one line, and its key. */
const servedMerchant = async () => {
  const ledger = `sqlite:${join(await temporaryFolder(), 'served.db')}`;
  const nexus = '[{"country":"US","state":"CA"}]';
  const added = await tieout(['account', 'add', 'harbor', '--ledger', ledger, '--nexus', nexus, '--json']);
  const { key } = JSON.parse(added.stdout) as { key: string };
  const { url } = await serving(['--ledger', ledger]);
  const merchant = await sampleMerchant();
  const plain = await readFile(merchant.config, 'utf8');
  const limitedTo = (requestsPerSecond: number) =>
    writeFile(
      merchant.config,
      `${plain}\nservice: { url: "${url}", requestsPerSecond: ${requestsPerSecond} }\n`,
    );
  return { merchant, limitedTo, env: { TIEOUT_SERVICE_KEY: key } };
};

describe('a close that is asked to stop', () => {
  test('ends with 69, says how it goes on, and goes on', async () => {
    const whole = await sampleMerchant();
    expect((await whole.close()).code).toBe(0);
    const stopped = await sampleMerchant();
    for (const killSignal of ['SIGTERM', 'SIGINT'] as const) {
      const cut = await stopped.close(['2026-10'], {
        killSignal,
        killWhen: (printed) => printed.includes('extract:'),
      });
      expect({ code: cut.code, signal: cut.signal }).toEqual({ code: 69, signal: null });
      expect(cut.stderr).toMatch(
        /^Stopping when the batch at work is done;.*\nE_STOPPED: the run was asked to stop, and stopped in \S+ when the batch at work was done\.\nRun the same command again: it continues where it stopped\.\n$/,
      );
      expect((await filesOf(stopped.output)).size).toBe(0);
    }
    expect((await stopped.close()).code).toBe(0);
    expect(await filesOf(stopped.output)).toEqual(await filesOf(whole.output));
  });

  test('leaves the files of an earlier run as they are, and status says so until they are current', async () => {
    const { merchant, limitedTo, env } = await servedMerchant();
    await limitedTo(10_000);
    // A service whose account has fewer states answers otherwise: the month is closed, and not ready.
    expect((await merchant.close(['2026-10'], { env })).code).toBe(1);
    const before = await filesOf(merchant.output);
    await limitedTo(50);
    const orders = join(merchant.folder, 'orders_export.csv');
    await writeFile(orders, (await readFile(orders, 'utf8')).replace('9.95', '9.96'));

    const cut = await merchant.close(['2026-10'], {
      env,
      killSignal: 'SIGTERM',
      killWhen: (text) => text.includes('extract:'),
    });
    expect(cut.code).toBe(69);
    expect(await filesOf(merchant.output)).toEqual(before);
    const status = await tieout(['status', '--config', merchant.config, '--output', merchant.output]);
    expect(status.stdout).toMatch(
      /^2026-10 +stopped: E_STOPPED, exit code 69 .*\n +NOT CURRENT: its files are of an earlier run; /,
    );

    await limitedTo(10_000);
    await merchant.close(['2026-10'], { env });
    expect(
      (await tieout(['status', '--config', merchant.config, '--output', merchant.output])).stdout,
    ).not.toContain('NOT CURRENT');
  });

  test('twice ends at once', async () => {
    const { merchant, limitedTo, env } = await servedMerchant();
    // One call in two seconds: the batch at work will not be done for a while.
    await limitedTo(0.5);
    const child = spawn(
      process.execPath,
      [START, 'close', '2026-10', '--config', merchant.config, '--output', merchant.output],
      { env: { ...process.env, ...env } },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [said] = (await once(child.stderr, 'data')) as [Buffer];
    expect(said.toString()).toContain('A second signal ends at once.');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });
});
