import { execFile } from 'node:child_process';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ExitCode } from '../../src/kernel/errors.ts';
import { month } from '../support/month.ts';
import { temporaryFolder } from '../support/tieout.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(new URL('../../docs/cron.md', import.meta.url), 'utf8');

/** The code blocks of the page in a language, each with the file name that its comment gives. */
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text ?? '');

const lastMonth = (): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth() - 1, 15)).toISOString().slice(0, 7);
};

/** The script of the page, with the paths of a program and of a merchant, and of the Node that runs this. */
const scriptFor = async (config: string, program = ROOT): Promise<string> => {
  const [script = ''] = blocks('sh');
  const path = join(await temporaryFolder(), 'close-last-month');
  await writeFile(
    path,
    script
      .replace('/opt/tieout', program)
      .replace('/usr/local/bin/node', process.execPath)
      .replace('/srv/shop/tieout.yaml', config),
  );
  await chmod(path, 0o755);
  return path;
};

/** The program without a Node of its own, as npm installs it. */
const installed = async (): Promise<string> => {
  const folder = await temporaryFolder();
  for (const name of ['dist', 'package.json']) await symlink(join(ROOT, name), join(folder, name));
  return folder;
};

describe('docs/cron.md', () => {
  test.for([
    ['a checkout', async () => ROOT],
    ['an installed package', installed],
  ] as const)(
    'has a script that closes the month before this one in the environment of cron: %s',
    async ([, programOf]) => {
      const program = await programOf();
      const { config } = await month({ orders: [{ name: '#1', at: '2020-01-10' }] });
      const script = await scriptFor(config, program);
      const ran = await run('env', ['-i', script]).catch((error) => error);
      // The shop has sold nothing since 2020: somebody has to say so.
      expect(ran.code).toBe(1);
      expect(ran.stdout).toContain(`\n${lastMonth()}: NOT READY`);
      expect(ran.stdout.split('\n').length).toBeLessThanOrEqual(18);
    },
  );

  test('names every exit code', () => {
    const table = page.slice(page.indexOf('| exit code'));
    const named = [...table.matchAll(/^\| ([\d, ]+?) +\|/gm)].flatMap(([, codes]) =>
      (codes ?? '').split(', ').map(Number),
    );
    expect(named.sort((left, right) => left - right)).toEqual(
      Object.values(ExitCode).sort((left, right) => left - right),
    );
  });
});
