import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { provePublishable, publishFolder } from '../../src/runtime/publish-folder.ts';

let parent: string;
let folder: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tieout-publish-'));
  folder = join(parent, '2026-10');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

const filling = (files: Files) => async (staging: string) => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(staging, path, '..'), { recursive: true });
    await writeFile(join(staging, path), content);
  }
};
const publish = (files: Files) => publishFolder(folder, filling(files));

const filesOf = async (): Promise<Files> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = paths.map(
    async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(read));
};

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const age = async (path: string) => utimes(join(folder, path), LONG_AGO, LONG_AGO);
const isAged = async (path: string) => (await stat(join(folder, path))).mtimeMs === LONG_AGO.getTime();

describe('a published folder', () => {
  test('appears with all its files, and nothing beside it', async () => {
    const published = await publish({ 'variance.xlsx': 'v', 'evidence/manifest.json': '{}' });
    expect(published).toEqual({ files: ['evidence/manifest.json', 'variance.xlsx'], changed: true });
    expect(await filesOf()).toEqual({ 'variance.xlsx': 'v', 'evidence/manifest.json': '{}' });
    expect(await readdir(parent)).toEqual(['2026-10']);
  });

  test.for([
    [{ a: '2', b: '1' }, 'other content'],
    [{ a: '1' }, 'a file less'],
    [{ a: '1', b: '1', c: '1' }, 'a file more'],
    [{ a: '1', 'folder/b': '1' }, 'a file in another place'],
  ] as const)('is replaced as a whole by %j: %s', async ([files]) => {
    await publish({ a: '1', b: '1' });
    expect((await publish(files as Files)).changed).toBe(true);
    expect(await filesOf()).toEqual(files);
    expect(await readdir(parent)).toEqual(['2026-10']);
  });

  test('is left untouched by the same content', async () => {
    const files = { a: '1', 'folder/b': '2' };
    await publish(files);
    for (const path of ['a', 'folder/b', 'folder', '.']) await age(path);
    expect(await publish(files)).toEqual({ files: ['a', 'folder/b'], changed: false });
    for (const path of ['a', 'folder/b', 'folder', '.']) expect(await isAged(path)).toBe(true);
    expect(await readdir(parent)).toEqual(['2026-10']);
  });
});

describe('a folder whose filling fails', () => {
  const failing = async (staging: string) => {
    await writeFile(join(staging, 'half'), '');
    throw new Error('the disk is full');
  };

  test('stays as it was', async () => {
    await publish({ a: '1' });
    await age('a');
    await expect(publishFolder(folder, failing)).rejects.toThrow('the disk is full');
    expect(await filesOf()).toEqual({ a: '1' });
    expect(await isAged('a')).toBe(true);
    expect(await readdir(parent)).toEqual(['2026-10']);
  });
});

describe('a folder that cannot be written', () => {
  test('because a file stands in its way is named, with what to do', async () => {
    await writeFile(join(parent, 'file'), '');
    folder = join(parent, 'file', '2026-10');
    await expect(publish({ a: '1' })).rejects.toMatchObject({
      code: 'E_OUTPUT_UNWRITABLE',
      recovery: 'fix-config',
      message: expect.stringContaining(`${folder} cannot be written`),
    });
  });

  test('because it is a file is refused, and the file is left alone', async () => {
    await writeFile(folder, 'mine');
    await expect(provePublishable(folder)).rejects.toMatchObject({ code: 'E_OUTPUT_UNWRITABLE' });
    expect(await readFile(folder, 'utf8')).toBe('mine');
    expect(await readdir(parent)).toEqual(['2026-10']);
  });

  test('because the disk is full can be written on another try', async () => {
    const full = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    await expect(publishFolder(folder, full)).rejects.toMatchObject({
      code: 'E_OUTPUT_FULL',
      recovery: 'retry',
      message: `there is no space left to write ${folder}`,
    });
    expect(await readdir(parent)).toEqual([]);
  });
});

describe('what an interrupted run left behind', () => {
  test('is removed by the next run, and other folders are not', async () => {
    await publish({ a: '1' });
    await mkdir(join(parent, '.2026-10.part-abc123'));
    await writeFile(join(parent, '.2026-10.part-abc123', 'half'), '');
    await mkdir(join(parent, '.2026-10.replaced'));
    await mkdir(join(parent, '.2026-11.part-xyz'));
    await mkdir(join(parent, '2026-09'));
    expect((await publish({ a: '1' })).changed).toBe(false);
    expect((await readdir(parent)).sort()).toEqual(['.2026-11.part-xyz', '2026-09', '2026-10']);
  });

  test('comes back when the new folder was not in its place yet', async () => {
    await publish({ a: 'the last complete run' });
    await rename(folder, join(parent, '.2026-10.replaced'));
    const failing = () => Promise.reject(new Error('down again'));
    await expect(publishFolder(folder, failing)).rejects.toThrow('down again');
    expect(await filesOf()).toEqual({ a: 'the last complete run' });
  });
});
