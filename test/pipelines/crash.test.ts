import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesOf, sampleMerchant } from '../support/tieout.ts';

const bytesOf = async (output: string) => {
  const files = await filesOf(output);
  return Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString('base64')]));
};

/** How often the service holds each record. */
const recordedTwice = (folder: string): readonly unknown[] => {
  const ledger = new DatabaseSync(join(folder, '.tieout', 'ledger.db'), { readOnly: true });
  try {
    return ledger
      .prepare(
        'select provider, kind, transaction_id, count(*) as count from transactions group by 1, 2, 3 having count(*) > 1',
      )
      .all();
  } finally {
    ledger.close();
  }
};

describe('a close that is killed without warning', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-untouched-'));
  let untouched: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const whole = await sampleMerchant(folder);
    expect((await whole.close()).code).toBe(0);
    untouched = await bytesOf(whole.output);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // The stage that has just been reported, and how long the next one has been at work when the power goes.
  test.for([
    ['before anything is read', '', 150],
    ['while sales are recomputed', 'extract:', 0],
    ['while transactions are submitted', 'recompute:', 0],
    ['later in the submission', 'recompute:', 60],
    ['while records are read back', 'submit:', 30],
    ['while figures are reconciled', 'pull-back:', 0],
    ['while workbooks are written', 'reconcile:', 40],
  ] as const)('%s ends, when run again, as if nothing had happened', async ([, after, delay]) => {
    const cut = await sampleMerchant();
    const killed = await cut.close(['2026-10'], {
      killWhen: (printed) => printed.includes(after),
      killAfterMs: delay,
    });
    expect(killed.signal).toBe('SIGKILL');
    expect(isHidden(await filesOf(cut.output))).toBe(true);

    const again = await cut.close();
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await bytesOf(cut.output)).toEqual(untouched);
    expect(recordedTwice(cut.folder)).toEqual([]);
  });
});

/** Whether nothing stands under a final name. */
const isHidden = (files: ReadonlyMap<string, Buffer>): boolean =>
  [...files.keys()].every((path) => path.split('/').some((part) => part.startsWith('.')));
