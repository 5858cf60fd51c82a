import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { launch, sampleMerchant } from '../support/tieout.ts';

describe('the log of a close', () => {
  test('is JSON lines in a file, with what was done for whom, and never a key', async () => {
    const merchant = await sampleMerchant();
    const file = join(merchant.folder, 'logs', 'close.log');
    const ran = await merchant.close(['2026-10', '--quiet', '--log-level', 'debug', '--log-file', file], {
      env: { TIEOUT_SERVICE_KEY: 'never-to-be-seen' },
    });
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain('never-to-be-seen');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ msg: 'a run begins', entity: 'harbor-and-pine', period: '2026-10' });
    expect(lines.at(-1)).toMatchObject({ msg: 'a run is done' });
    expect(lines.filter(({ msg }) => msg === 'a stage is done').map(({ stage }) => stage)).toEqual([
      'extract',
      'recompute',
      'coverage',
      'submit',
      'read back',
      'reconcile',
      'report',
    ]);
    expect(lines.some(({ msg, level }) => msg === 'a batch is done' && level === 20)).toBe(true);
  });

  test('holds why a run stopped, at the level of errors, on standard error', async () => {
    const merchant = await sampleMerchant();
    const ran = await merchant.close(['2026-13', '--log-level', 'error']);
    expect([ran.code, ran.stderr.split('\n')[0]]).toEqual([2, 'E_PERIOD: "2026-13" is not a filing period.']);
    await writeFile(join(merchant.folder, 'orders_export.csv'), '');
    const failed = await launch(['close', '2026-10', '--config', merchant.config, '--log-level', 'error']);
    expect(JSON.parse(failed.stderr.split('\n')[0] ?? '')).toMatchObject({
      msg: 'a run stopped',
      code: 'E_EXPORT_EMPTY',
      exit_code: 65,
      entity: 'harbor-and-pine',
    });
  });

  test('that cannot be written stops the command before it begins', async () => {
    const merchant = await sampleMerchant();
    const ran = await merchant.close(['2026-10', '--log-file', join(merchant.config, 'log')]);
    expect([ran.code, ran.stderr.split(':')[0]]).toEqual([78, 'E_LOG_FILE']);
  });
});
