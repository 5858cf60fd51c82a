import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { folderOf, rowsIn, surveyed, zipOf } from './on-disk.ts';

const rowsOfAll = async (folder: string, entry: string) => {
  const found: Record<string, readonly string[]> = {};
  for (const file of await surveyed(folder, entry))
    found[file.name] = (await rowsIn(file)).map(({ cells }) => cells.join());
  return found;
};

test('compressed files and archives are what they unpack to, an archive its members by name', async () => {
  const packed = await folderOf({ 'orders.csv.gz': gzipSync('a,b\n1,2\n') });
  expect(await rowsOfAll(packed, 'orders.csv.gz')).toEqual({ 'orders.csv.gz': ['a,b', '1,2'] });

  const archive = await zipOf({
    'b.csv': 'b\n',
    'a.csv': 'a\n',
    'in/c.csv': 'c\n',
    '__MACOSX/._a.csv': 'x',
    '.DS_Store': 'x',
    'Thumbs.db': 'x',
    'in/desktop.ini': 'x',
  });
  const folder = await folderOf({ 'october.zip': archive });
  expect(await rowsOfAll(folder, 'october.zip')).toEqual({
    'october.zip/a.csv': ['a'],
    'october.zip/b.csv': ['b'],
    'october.zip/in/c.csv': ['c'],
  });
});

describe('an archive that must not be unpacked', () => {
  const refusal = async (content: Buffer, name = 'x.zip') =>
    surveyed(await folderOf({ [name]: content }), name);

  /** A name of the same length is written and then replaced: the writer would refuse the bad one. */
  const withName = async (name: string): Promise<Buffer> => {
    const innocent = 'q'.repeat(name.length);
    const archive = await zipOf({ [innocent]: 'a\n' });
    return Buffer.from(archive.toString('latin1').replaceAll(innocent, name), 'latin1');
  };
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`${index}.csv`, 'a']));

  test.for([
    [() => withName('../out.csv'), 'the archive has a member whose name could lead out of it'],
    [() => withName('/etc/out.csv'), 'the archive has a member whose name could lead out of it'],
    [() => zipOf({}), 'the archive has no files'],
    [() => zipOf(many), 'the archive has more than 1000 members'],
    [
      () => gzipSync('a,b\n1,2\n'.repeat(99)).subarray(0, 30),
      'its compressed data ends too early: it was cut off',
    ],
  ] as const)('$1', async ([content, rule]) => {
    await expect(refusal(await content())).rejects.toMatchObject({
      ...{ code: 'E_EXPORT_ARCHIVE', recovery: 'fix-input' },
      message: expect.stringContaining(rule),
    });
  });

  test('a spreadsheet of another program', async () => {
    const ods = await zipOf({ 'content.xml': '<?xml version="1.0"?><x/>' });
    await expect(refusal(ods)).rejects.toMatchObject({ code: 'E_EXPORT_ENCODING' });
  });

  const BOMB = Buffer.alloc(64 * 1024 * 1024, 'a,b\n');

  test.for([
    [() => gzipSync(BOMB), 'bomb.csv.gz', 'gzip'],
    [() => zipOf({ 'bomb.csv': BOMB }), 'bomb.zip', 'zip'],
  ] as const)('a bomb is stopped by its ratio (%j %s, %s)', async ([content, name]) => {
    await expect(refusal(await content(), name)).rejects.toMatchObject({
      code: 'E_EXPORT_LIMIT',
      message: expect.stringMatching(/it unpacks to more than 300 times its size/),
    });
  });
});
