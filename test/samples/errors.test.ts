import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { tieout } from '../support/tieout.ts';

const SAMPLES = fileURLToPath(new URL('../../samples/errors', import.meta.url));
const codes = (await readdir(SAMPLES)).filter((name) => name.startsWith('E_')).sort();
const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

const home = process.cwd();
afterEach(() => process.chdir(home));

/** The words of a command line, as a shell takes it apart. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );

/** Run the commands of a sample in a copy of its folder; what the last of them prints and ends with. */
const ran = async (sample: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-error-'));
  try {
    await cp(join(SAMPLES, sample), folder, { recursive: true });
    process.chdir(folder);
    let printed = '';
    let exitCode: number | null = 0;
    for (const line of (await readFile('command', 'utf8')).trim().split('\n')) {
      const [program, ...words] = wordsOf(line);
      if (program === 'cp') {
        const [from = '', to = ''] = words;
        await cp(from, to);
        continue;
      }
      const env = { TIEOUT_SERVICE_KEY: 'a-key' };
      const said = await tieout(words, { env });
      exitCode = said.code;
      printed = said.printed;
    }
    return `${printed.replaceAll(`${process.cwd()}/`, '')}exit code ${exitCode}\n`;
  } finally {
    process.chdir(home);
    await rm(folder, { recursive: true });
  }
};

describe('samples/errors', () => {
  test.for(codes)(
    '%s is what its command says, word by word (npm test -- -u writes it again)',
    async (code) => {
      const said = await ran(code);
      expect(said).toContain(code);
      await expect(said).toMatchFileSnapshot(join(SAMPLES, code, 'expected.txt'));
    },
  );

  test('has every code of docs/errors.md, or its README says why not', async () => {
    const listed = [...(await read('docs/errors.md')).matchAll(/^\| (E_[A-Z_]+) +\|/gm)].map(
      ([, code]) => code,
    );
    const excused = [...(await read('samples/errors/README.md')).matchAll(/^\| (E_[A-Z_]+) +\| \w/gm)].map(
      ([, code]) => code,
    );
    expect([...codes, ...excused].sort()).toEqual(listed.sort());
  });
});
