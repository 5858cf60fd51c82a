import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../src/kernel/json.ts';
import { folderDifferences } from '../../src/runtime/publish-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tieout-differences-'));
});
afterEach(() => rm(folder, { recursive: true }));

const WANTED = ['a.txt', 'deep/b.txt', 'deep/c.txt'].map((path) => ({ path, sha256: sha256(path) }));

const found = async (): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const { path, what } of folderDifferences(folder, WANTED)) lines.push(`${path} ${what}`);
  return lines;
};

test('what is changed, missing, a link or no one’s is told in the order of the paths', async () => {
  await mkdir(join(folder, 'deep'));
  await writeFile(join(folder, 'a.txt'), 'another');
  await writeFile(join(folder, 'deep', 'aside.txt'), 'deep/b.txt');
  await symlink(join(folder, 'deep', 'aside.txt'), join(folder, 'deep', 'b.txt'));
  expect(await found()).toEqual([
    'a.txt changed',
    'deep/aside.txt foreign',
    'deep/b.txt missing',
    'deep/c.txt missing',
  ]);
});
