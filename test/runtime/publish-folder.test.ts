import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../src/kernel/json.ts';
import {
  filePathsBelow,
  filesDigest,
  folderDifferences,
  provePublishable,
  publishFolder,
} from '../../src/runtime/publish-folder.ts';
import { filesOf } from '../support/tieout.ts';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tieout-publish-'));
  folder = join(parent, '2026-10');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

const write = async (place: string, files: Files) => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), content);
  }
};
const publish = (files: Files) => publishFolder(folder, (staging) => write(staging, files));
const filesNow = async (): Promise<Files> =>
  Object.fromEntries([...(await filesOf(folder))].map(([path, bytes]) => [path, bytes.toString()]));
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

test('a published folder appears as a whole, is replaced by any other content, and left untouched by the same', async () => {
  const versions: readonly Files[] = [
    { a: '1', b: '1' },
    { a: '2', b: '1' },
    { a: '1' },
    { a: '1', b: '1', c: '1' },
    { a: '1', 'folder/b': '1' },
  ];
  for (const files of versions) {
    expect(await publish(files)).toMatchObject({ files: Object.keys(files), changed: true });
    expect(await filesNow()).toEqual(files);
    for (const path of [...Object.keys(files), '.']) await utimes(join(folder, path), LONG_AGO, LONG_AGO);
    expect((await publish(files)).changed).toBe(false);
    for (const path of [...Object.keys(files), '.'])
      expect((await stat(join(folder, path))).mtimeMs).toBe(LONG_AGO.getTime());
    expect(await readdir(parent)).toEqual(['2026-10']);
  }
});

test('a folder whose filling fails stays as it was, and one that cannot be is refused', async () => {
  await publish({ a: '1' });
  const failing = async (staging: string) => {
    await writeFile(join(staging, 'half'), '');
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  };
  await expect(publishFolder(folder, failing)).rejects.toMatchObject({
    code: 'E_OUTPUT_FULL',
    recovery: 'retry',
    message: `there is no space left to write ${folder}`,
  });
  expect(await filesNow()).toEqual({ a: '1' });
  await writeFile(join(parent, 'file'), 'mine');
  for (const refused of [
    publishFolder(join(parent, 'file', '2026-10'), async () => {}),
    provePublishable(join(parent, 'file')),
  ])
    await expect(refused).rejects.toMatchObject({ code: 'E_OUTPUT_UNWRITABLE', recovery: 'fix-config' });
  expect((await readdir(parent)).sort()).toEqual(['2026-10', 'file']);
});

test('what an interrupted run left behind is removed, or comes back where the new folder was not in its place yet', async () => {
  await publish({ a: '1' });
  await mkdir(join(parent, '.2026-10.replaced'));
  for (const name of ['.2026-10.part-abc123', '.2026-11.part-xyz'])
    await write(join(parent, name), { half: '' });
  expect((await publish({ a: '1' })).changed).toBe(false);
  expect((await readdir(parent)).sort()).toEqual(['.2026-11.part-xyz', '2026-10']);
  await rename(folder, join(parent, '.2026-10.replaced'));
  await expect(publishFolder(folder, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await filesNow()).toEqual({ a: '1' });
});

test('what is changed, missing, a link or no one’s is told in the order of the paths', async () => {
  const wanted = ['a.txt', 'deep/b.txt', 'deep/c.txt'].map((path) => ({ path, sha256: sha256(path) }));
  await write(folder, { 'a.txt': 'another', 'deep/aside.txt': 'deep/b.txt' });
  await symlink(join(folder, 'deep', 'aside.txt'), join(folder, 'deep', 'b.txt'));
  const lines: string[] = [];
  for await (const { path, what } of folderDifferences(folder, wanted)) lines.push(`${path} ${what}`);
  expect(lines).toEqual([
    'a.txt changed',
    'deep/aside.txt foreign',
    'deep/b.txt missing',
    'deep/c.txt missing',
  ]);
});

test('the digest of a folder changes with every file below it, behind links too, and with their names', async () => {
  const elsewhere = join(parent, 'elsewhere.tsv');
  await write(folder, { 'b.tsv': 'b', 'imports/a.tsv': 'a' });
  await writeFile(elsewhere, 'linked');
  await symlink(elsewhere, join(folder, 'c.tsv'));
  expect(filePathsBelow(folder)).toEqual(['b.tsv', 'c.tsv', 'imports/a.tsv']);
  const digest = () => filesDigest(folder, filePathsBelow(folder));
  const seen = [digest()];
  for (const change of [
    () => write(folder, { 'imports/a.tsv': 'other' }),
    () => writeFile(elsewhere, 'mended'),
    () => rm(join(folder, 'b.tsv')),
    () => write(folder, { 'd.tsv': 'b' }),
  ]) {
    await change();
    expect(seen).not.toContain(digest());
    seen.push(digest());
  }
});
