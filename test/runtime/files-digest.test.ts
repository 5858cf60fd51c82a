import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filePathsBelow, filesDigest } from '../../src/runtime/publish-folder.ts';

test('the digest of a folder changes with every file below it, behind links too, and with their names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-digest-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const content = join(folder, 'content');
  await mkdir(join(content, 'imports'), { recursive: true });
  await writeFile(join(content, 'b.tsv'), 'b');
  await writeFile(join(content, 'imports', 'a.tsv'), 'a');
  await writeFile(join(folder, 'elsewhere.tsv'), 'linked');
  await symlink(join(folder, 'elsewhere.tsv'), join(content, 'c.tsv'));
  expect(filePathsBelow(content)).toEqual(['b.tsv', 'c.tsv', 'imports/a.tsv']);

  const seen = [filesDigest(content, filePathsBelow(content))];
  const changes = [
    () => writeFile(join(content, 'imports', 'a.tsv'), 'other'),
    () => writeFile(join(folder, 'elsewhere.tsv'), 'mended'),
    () => rm(join(content, 'b.tsv')),
    () => writeFile(join(content, 'd.tsv'), 'b'),
  ];
  for (const change of changes) {
    await change();
    const digest = filesDigest(content, filePathsBelow(content));
    expect(seen).not.toContain(digest);
    expect(filesDigest(content, filePathsBelow(content))).toBe(digest);
    seen.push(digest);
  }
});
