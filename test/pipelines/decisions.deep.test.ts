import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { salesIn } from '../support/sheets.ts';
import { filesOf, type Merchant, sampleMerchant, tieout } from '../support/tieout.ts';

type Row = Record<string, string>;

/** What is decided of each kind of line. */
const ANSWERS: Readonly<Record<string, string>> = {
  'cancelled-but-paid': 'Post',
  'refund-not-split': 'Split by share',
  R99: 'Set by hand',
  'zip-not-in-state': 'Keep out',
  'bad-cell': 'Ignore',
};

/** A cause needs no answer. */
const isAnswered = (row: Row): boolean => row['decision'] === '' && !String(row['key']).includes(' R11 in ');

/** The sample month with nothing decided in its configuration, and what is decided in a file. */
describe('a month that is decided in a file', () => {
  let merchant: Merchant;
  let before: readonly Row[];
  const folder = () => join(merchant.output, 'harbor-and-pine/2026-10');
  const linesNow = async (): Promise<readonly Row[]> =>
    parse(await readFile(join(folder(), 'open-items.csv')), { columns: true, bom: true });
  const detail = async (id: string) =>
    (await salesIn(join(folder(), 'variance.xlsx'))).find((row) => row['Transaction'] === id);
  const name = async (entries: string) => {
    const text = await readFile(merchant.config, 'utf8');
    await writeFile(merchant.config, `${text.replace(/^decisions:.*\n/m, '')}decisions: ${entries}\n`);
  };

  beforeAll(async () => {
    merchant = await sampleMerchant(await mkdtemp(join(tmpdir(), 'tieout-decisions-')));
    await rm(join(merchant.folder, 'decisions.csv'));
    expect((await merchant.close()).code).toBe(1);
    before = await linesNow();
    const filled = before.map((row) => ({
      ...row,
      ...(isAnswered(row) && {
        decision: ANSWERS[String(row['key']).split(' ')[1] ?? ''] ?? 'Accept',
        why: 'as agreed',
        by: 'J. Ruiz',
        on: '11/3/2026',
      }),
    }));
    const ends = { header: true, delimiter: ';', record_delimiter: 'windows' } as const;
    await writeFile(join(merchant.folder, 'october.csv'), `${stringify(filled, ends)};;;;\r\n`);
    await name('[october.csv]');
  }, 240_000);

  afterAll(() => rm(merchant.folder, { recursive: true }));

  test('posts, splits and explains as decided, and keeps it in the evidence', async () => {
    const closed = await merchant.close();
    expect({ code: closed.code, stderr: closed.stderr }).toEqual({ code: 0, stderr: '' });
    expect(closed.stdout).toContain('READY');
    expect(await detail('5060')).toMatchObject({ Posted: 'Yes', Collected: 48.95 });
    expect(await detail('5006-refund')).toMatchObject({ Posted: 'Yes', Collected: -19.53 });
    expect(await detail('5158')).toMatchObject({ Posted: 'No' });
    expect(await detail('D-523')).toMatchObject({ Status: 'explained' });
    const after = await linesNow();
    const decided = after.filter((row) => row['why'] === 'as agreed');
    expect(decided.length).toBe(before.filter(isAnswered).length);
    for (const { key, by, on } of decided) {
      expect(before.map((row) => row['key'])).toContain(key);
      expect([by, on]).toEqual(['J. Ruiz', '2026-11-03']);
    }
    const verified = await tieout(['verify', folder()]);
    expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' });
    const files = await filesOf(folder());
    await merchant.close();
    expect(await filesOf(folder())).toEqual(files);
  }, 240_000);

  test('reads the file in its folder, refuses to write over it unread, and names the line of what is said twice', async () => {
    const path = join(folder(), 'open-items.csv');
    const lines = await linesNow();
    const at = lines.findIndex((row) => row['key'] === '2026-10 R11 in TX');
    const filled = lines.map((row, index) =>
      index === at ? { ...row, decision: 'Accept', why: 'they agreed to it' } : row,
    );
    await writeFile(path, stringify(filled, { header: true }));
    const unread = await merchant.close();
    expect([unread.code, unread.stderr]).toEqual([
      65,
      expect.stringContaining(`open-items.csv:${at + 2}, column "decision": it was`),
    ]);
    await name('[october.csv, output/harbor-and-pine/2026-10/open-items.csv]');
    expect((await merchant.close()).code).toBe(0);
    const line = (await linesNow()).find((row) => row['key'] === '2026-10 R11 in TX');
    expect(line).toMatchObject({ decision: 'Accept', why: 'they agreed to it' });
    await writeFile(
      join(merchant.folder, 'more.csv'),
      'key,records,decision,why\n2026-10 R11 in TX,2 records,Accept,too little\n',
    );
    await name('[output/harbor-and-pine/2026-10/open-items.csv, more.csv]');
    const twice = await merchant.close();
    expect(twice.code).toBe(65);
    expect(twice.stderr).toMatch(
      /^E_DECISION: more\.csv:2, column "decision": it says “Accept: too little”, and .*open-items\.csv:\d+, column "decision" says “Accept: they agreed to it”/,
    );
    await writeFile(
      join(merchant.folder, 'more.csv'),
      'key,records,decision,why,on\n2026-10 R11 in TX,2 records,Accept,too little,11/9/2026\n',
    );
    expect((await merchant.close()).code).toBe(0);
    const later = (await linesNow()).find((row) => row['key'] === '2026-10 R11 in TX');
    expect(later).toMatchObject({ decision: 'Accept', on: '2026-11-09' });
  }, 240_000);
});
