import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { filesOf, temporaryFolder } from '../support/tieout.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ARCHIVE_BYTES_MAX = 4_000_000;

let archive: string;
let listed: readonly string[];
beforeAll(async () => {
  const folder = join(ROOT, 'node_modules/.cache/tieout-archive');
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: ROOT,
    env: { ...process.env, npm_config_loglevel: 'error' },
  });
  const [packed] = Object.values(
    JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as { filename: string; files: { path: string }[] }[],
  );
  archive = join(folder, packed?.filename ?? '');
  listed = packed?.files.map(({ path }) => path) ?? [];
});

/** A package of somebody's, with Tieout installed from the archive. */
const installed = async (): Promise<string> => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "name": "books", "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', archive], { cwd: folder });
  await cp(join(folder, 'node_modules/tieout/samples/harbor-and-pine'), join(folder, 'shop'), {
    recursive: true,
  });
  return folder;
};

const node = (folder: string, args: readonly string[]) => run(process.execPath, [...args], { cwd: folder });

test('the archive is small, and has what runs, the docs and a sample, and no tests', async () => {
  expect((await stat(archive)).size).toBeLessThanOrEqual(ARCHIVE_BYTES_MAX);
  const rooms = new Set(listed.map((path) => path.split('/')[0]));
  expect([...rooms].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'docs', 'package.json', 'samples']);
  expect(listed.filter((path) => path.includes('.test.'))).toEqual([]);
});

test('installed into an empty folder it closes the sample month', async () => {
  const folder = await installed();
  const command = join(folder, 'node_modules/.bin/tieout');
  const { stdout } = await node(folder, [
    command,
    'close',
    '2026-10',
    '--config',
    'shop/tieout.yaml',
    '--output',
    'out',
  ]);
  expect(stdout).toContain('variance 28.05');
  expect(await readdir(join(folder, 'out/harbor-and-pine/2026-10'))).toContain('variance.xlsx');
});

test('a program imports it with its types, and closes a month as the command does', async () => {
  const folder = await installed();
  await writeFile(
    join(folder, 'mine.ts'),
    `import { loadConfiguration, monthlyClose, withClose } from 'tieout';
const configuration = await loadConfiguration('shop/tieout.yaml');
const { written } = await withClose(configuration, process.env, (close) =>
  monthlyClose.run(close, { period: '2026-10' }),
);
console.log(written.folder, written.report.readiness.ready);
`,
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const strict = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--typeRoots',
    join(ROOT, 'node_modules/@types'),
    '--target',
    'es2024',
    '--skipLibCheck',
    'mine.ts',
  ];
  await node(folder, [tsc, ...strict]);
  await writeFile(
    join(folder, 'wrong.ts'),
    `import { parsePeriod } from 'tieout';\nexport const wrong: number = parsePeriod('2026-10');\n`,
  );
  await expect(node(folder, [tsc, ...strict.slice(0, -1), 'wrong.ts'])).rejects.toMatchObject({
    stdout: expect.stringContaining('wrong.ts(2,14)'),
  });
  const closed = (await node(folder, ['mine.ts'])).stdout;
  expect(closed).toMatch(/2026-10 true\n$/);
  const byProgram = await filesOf(closed.split(' ')[0] ?? '');
  const command = join(folder, 'node_modules/.bin/tieout');
  await node(folder, [command, 'close', '2026-10', '--config', 'shop/tieout.yaml']);
  expect(await filesOf(closed.split(' ')[0] ?? '')).toEqual(byProgram);
  expect(byProgram.has('variance.xlsx')).toBe(true);
});
