import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { designedError, exitCodeOf, readError, writtenError } from '../../src/kernel/errors.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const system = (code: string) => Object.assign(new Error(code), { code, path: '/books/ledger.db' });

test('a file that cannot be read for its disk is told with its place, and another run may mend it', async () => {
  const content = await temporaryFolder();
  const file = join(content, 'manifest.json');
  await symlink('/proc/self/mem', file);
  const args = ['content', 'status', '--content', content];
  expect(await tieout(args)).toMatchObject({
    code: 69,
    stderr:
      `E_DISK_FAILED: ${file} could not be read or written, because the disk failed (EIO).\n` +
      'Check the disk, its connection and its free space, then run again; the run continues where it stopped.\n',
  });
  const { stdout } = await tieout([...args, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'E_DISK_FAILED', exit_code: 69 } });
});

test('a worker says the same of a disk of its own', () => {
  const written = writtenError(system('EIO'));
  expect(written && readError(written, 'worker 7')).toMatchObject({
    code: 'E_DISK_FAILED',
    recovery: 'retry',
    message: expect.stringMatching(/ledger\.db .* \(EIO\) \(worker 7\)$/),
  });
});

test.for(['EIO', 'ENXIO', 'ESTALE', 'ENOSPC', 'Unknown system error -117'])('%s is of the disk', (code) => {
  expect(designedError(system(code))).toMatchObject({
    code: 'E_DISK_FAILED',
    message: expect.stringContaining('/books/ledger.db'),
  });
});

test.for([
  ['EACCES', 'this user may not'],
  ['EPERM', 'this user may not'],
  ['EROFS', 'its file system can only be read'],
])('%s is of a right that is missing, and no defect', ([code, words]) => {
  expect(designedError(system(code ?? ''))).toMatchObject({
    code: 'E_ACCESS_REFUSED',
    message: `/books/ledger.db cannot be read or written: ${words} (${code})`,
  });
  expect(exitCodeOf(system(code ?? ''))).toBe(78);
  expect(designedError(Object.assign(new Error('of no file'), { code }))).toBeUndefined();
});

test.for(['ENOENT', 'EMFILE', 'EBADF', 'ECONNRESET'])('%s stays what it is', (code) => {
  expect(designedError(system(code))).toBeUndefined();
  expect(exitCodeOf(system(code))).toBe(70);
});
