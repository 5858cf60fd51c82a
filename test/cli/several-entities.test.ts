import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { filesOf, sampleMerchant } from '../support/tieout.ts';
import { twoEntities } from '../support/two-entities.ts';

describe('a close of several entities', () => {
  test('closes each as if it were alone, in its own folder and its own account', async () => {
    const alone = await sampleMerchant();
    const { stdout } = await alone.close();
    const [, variance] = /^variance (\S+):/m.exec(stdout) ?? [];
    const both = await twoEntities();
    const ran = await both.run(['close', '2026-10']);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ran.stdout.replaceAll(both.folder, '')).toBe(
      [
        `ok harbor-and-pine: variance ${variance}, READY`,
        '     /output/harbor-and-pine/2026-10',
        'ok outlet: variance 0.00, READY',
        '     /output/outlet/2026-10',
        '2026-10: 2 closed; exit code 0',
        '',
      ].join('\n'),
    );

    const files = await filesOf(both.output);
    for (const [path, bytes] of await filesOf(alone.output))
      expect(files.get(path)?.equals(bytes), path).toBe(true);
    expect(recordsByAccount(both.folder)).toEqual([
      ...recordsByAccount(alone.folder),
      { name: 'outlet', records: 1 },
    ]);
  });

  test('bad input of one does not keep the other from closing, and is the exit code', async () => {
    const both = await twoEntities([{ name: '#1', tax: '99.99' }]);
    await rm(join(both.folder, 'orders_export.csv'));
    const ran = await both.run(['close', '2026-10']);
    expect(ran.code).toBe(65);
    expect(ran.stderr).toMatch(
      /^harbor-and-pine: E_EXPORT_MISSING: .*orders_export\.csv: there is no such file\.\n/,
    );
    expect(ran.stdout.replaceAll(both.folder, '').split('\n')).toEqual([
      '!! harbor-and-pine: stopped with 65, E_EXPORT_MISSING',
      expect.stringMatching(/^!! outlet: variance 89\.24, NOT READY: 1 cause of open exceptions \(89\.24\)$/),
      expect.stringMatching(/^ {5}open R99 #1: /),
      '     /output/outlet/2026-10',
      '2026-10: 1 closed with something open, 1 stopped; exit code 65',
      '',
    ]);
    const written = [...(await filesOf(both.output)).keys()];
    expect([...new Set(written.map((path) => path.split('/')[0]))]).toEqual(['outlet']);
  });

  test('with --json gives one object with an entry for each, and with --entity the entry alone', async () => {
    const both = await twoEntities();
    await rm(join(both.folder, 'orders_export.csv'));
    const all = await both.run(['close', '2026-10', '--json']);
    expect(JSON.parse(all.stdout)).toMatchObject({
      period: '2026-10',
      exit_code: 65,
      entities: [
        { entity: 'harbor-and-pine', exit_code: 65, error: { code: 'E_EXPORT_MISSING' } },
        { entity: 'outlet', exit_code: 0, totals: { collected: '10.75' } },
      ],
    });
    const one = await both.run(['close', '2026-10', '--json', '--entity', 'outlet']);
    expect([one.code, JSON.parse(one.stdout)]).toMatchObject([
      0,
      { entity: 'outlet', readiness: { ready: true } },
    ]);
    const none = await both.run(['close', '2026-10', '--entity', 'outlt']);
    expect([none.code, none.stderr.split(':')[0]]).toEqual([2, 'E_ENTITY']);

    const plan = await both.run(['plan', '2026-10', '--json']);
    expect([plan.code, JSON.parse(plan.stdout)]).toMatchObject([
      65,
      {
        entities: [
          { error: { code: 'E_EXPORT_MISSING' } },
          { entity: 'outlet', calculations: { sales: 1, toAsk: 0 }, inputs: [{ rows: 1, used: 1 }] },
        ],
      },
    ]);
    const status = await both.run(['status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({
      entities: [
        { entity: 'harbor-and-pine', periods: [{ period: '2026-10', exitCode: 65 }] },
        { entity: 'outlet', periods: [{ period: '2026-10', exitCode: 0 }] },
      ],
    });
  });
});

const recordsByAccount = (folder: string): readonly object[] => {
  const ledger = new DatabaseSync(join(folder, '.tieout', 'ledger.db'), { readOnly: true });
  try {
    return ledger
      .prepare(
        'select name, count(*) as records from accounts join transactions on account_id = accounts.id group by name order by name',
      )
      .all()
      .map((row) => ({ ...row }));
  } finally {
    ledger.close();
  }
};
