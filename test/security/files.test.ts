import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { writeRejects } from '../../src/books/files-to-fill-in.ts';
import { connect } from '../../src/database/connect.ts';
import { takeRunLock } from '../../src/database/run-lock.ts';
import { readLog } from '../../src/evidence/log-file.ts';
import { Manifest } from '../../src/evidence/manifest.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { knownProfiles } from '../../src/sales/detect-profile.ts';
import { readWorkbook } from '../../src/sales/read-workbook.ts';
import { differentCell } from '../../src/workbook/different-cell.ts';
import { folderOf, partsOf, rowsIn, surveyed, surveyOf, zipOf } from '../sales/files/on-disk.ts';
import { temporaryFolder } from '../support/tieout.ts';

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test('what Tieout keeps is for its owner only: a database, its side files, its lock, their folder', async () => {
  const folder = await temporaryFolder();
  const mask = process.umask(0);
  try {
    const place = join(folder, 'kept', '.tieout');
    const database = await connect(`sqlite:${join(place, 'ledger.db')}`);
    await openLedger(database);
    const lock = await takeRunLock(database);
    const names = await readdir(place);
    expect(names.sort()).toEqual(
      ['ledger.db', 'ledger.db-shm', 'ledger.db-wal', 'ledger.db.lock', 'ledger.db.lock-journal'].filter(
        (name) => names.includes(name) || !name.endsWith('-journal'),
      ),
    );
    for (const name of names) expect([name, await modeOf(join(place, name))]).toEqual([name, '600']);
    for (const each of [place, join(folder, 'kept')]) expect(await modeOf(each)).toBe('700');
    await lock.release();
    await database.close();
  } finally {
    process.umask(mask);
  }
});

test('an archive with a link in it gives the text of the link, never the file that it leads to', async () => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('../../etc/passwd'), 'orders.csv', { mode: 0o120777 });
  zip.end();
  const folder = await folderOf({ 'x.zip': await buffer(zip.outputStream) });
  const [file] = await surveyed(folder, 'x.zip');
  if (!file) throw new Error('there is no file');
  expect((await rowsIn(file)).map(({ cells }) => cells)).toEqual([['../../etc/passwd']]);
  expect(await readdir(folder)).toEqual(['x.zip']);
});

describe('a workbook', () => {
  const withSheet = (xml: string) => zipOf(partsOf(xml));
  const sheet = (text: string, prologue = '') =>
    `<?xml version="1.0"?>${prologue}<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`;
  const cellsOf = async (bytes: Buffer): Promise<string> => {
    const sheets = await readWorkbook(await surveyOf(bytes, 'x.xlsx'));
    return sheets.flatMap(({ rows }) => [...rows()].flatMap(({ cells }) => cells)).join();
  };

  test.for([
    ['an entity that is a file', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'],
    [
      'entities that multiply',
      `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}">${[...'bcdefgh'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefg'[index]};`.repeat(100)}">`).join('')}<!ENTITY e "&h;">]>`,
    ],
  ] as const)('with %s is refused, or gives nothing of it', async ([, prologue]) => {
    const hostname = (await readFile('/etc/hostname', 'utf8').catch(() => 'no such host')).trim();
    const read = await cellsOf(await withSheet(sheet('&e;', prologue))).catch((error: unknown) => error);
    if (typeof read === 'string') expect(read.length).toBeLessThan(10);
    else expect(read).toMatchObject({ code: 'E_EXPORT_ARCHIVE' });
    expect(String(read)).not.toContain(hostname);
  });

  const bomb = () => withSheet(sheet(' '.repeat(68_000_000)));

  test('of sales that unpacks to more than it should is refused before it is read', async () => {
    await expect(cellsOf(await bomb())).rejects.toMatchObject({
      code: 'E_EXPORT_LIMIT',
      message: expect.stringContaining('it unpacks to more than 300 times its size'),
    });
  });

  test('of an evidence folder that unpacks to more than it should is not read', async () => {
    const folder = await temporaryFolder();
    const large = join(folder, 'large.xlsx');
    const small = join(folder, 'small.xlsx');
    await writeFile(large, await bomb());
    await writeFile(small, await withSheet(sheet('')));
    await expect(differentCell(large, small)).rejects.toThrow('it unpacks to much more than it should');
  });
});

describe('a profile of one’s own', () => {
  test.for(['../../etc/passwd', 'shopify.orders/../../x', '__proto__', '/dev/zero'])(
    'extends a shipped profile by its id, and no file: %j',
    async (base) => {
      const folder = await folderOf({ 'own.yaml': `extends: ${JSON.stringify(base)}\n` });
      expect(() => knownProfiles('own.yaml', (path) => join(folder, path))).toThrow(
        `it extends "${base}", which does not exist`,
      );
    },
  );
});

describe('a name', () => {
  test.for([
    ['../../outside', '_'],
    ['/etc/passwd', '_'],
    ['..', '.'],
    ['a\u0000b', '_'],
    ['..\\..\\x', '_'],
  ] as const)('of an export, %j, leads no reject file out of the folder', async ([path]) => {
    const folder = await temporaryFolder();
    const inner = join(folder, 'in', 'period');
    const origin = { file: path, line: 2, record: '#1' };
    const record = { origin, reason: { code: 'x', message: 'm' }, rows: [{ line: 2, cells: ['1'] }] };
    await writeRejects(inner, [
      { channel: 'shop', path, sha256: '', header: ['a'], records: [record as never] },
    ]);
    const written = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = written.filter((entry) => entry.isFile());
    expect(files.map(({ parentPath }) => parentPath)).toEqual([join(inner, 'rejects', 'shop')]);
    expect(files[0]?.name).toMatch(/^[\w.-]+\.rejects\.csv$/);
  });
});

describe('evidence from elsewhere', () => {
  test('is not unpacked without end', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'log.gz');
    await writeFile(path, gzipSync(Buffer.alloc(48 * 1024 * 1024, `{"a":"${'a'.repeat(100_000)}"}\n`)));
    const read = async () => {
      for await (const _ of readLog(path));
    };
    await expect(read()).rejects.toThrow('it unpacks to more than 300 times its size');
  });

  test.for(['../..', '..', '/etc', 'a/b', ''])('cannot name %j as the period before', (period) => {
    const previous = Manifest.shape.content.shape.previous;
    expect(previous.safeParse({ period, contentDigest: 'a'.repeat(64) }).success).toBe(false);
    expect(previous.safeParse({ period: '2026-Q3-amended-1', contentDigest: 'a'.repeat(64) }).success).toBe(
      true,
    );
  });
});
