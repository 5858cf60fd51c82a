import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { COMMANDS, PAGES } from '../../src/cli/command-table.ts';
import { launch, tieout } from '../support/tieout.ts';

describe('the help', () => {
  test('of the program lists every command and fits on a terminal', async () => {
    const { code, stdout } = await tieout(['--help']);
    expect(code).toBe(0);
    for (const { name, group, summary } of COMMANDS) {
      expect(stdout).toMatch(new RegExp(`^${group}:\n(?: {2}.*\n)*? {2}${name} +${summary}$`, 'm'));
      expect(summary.length, summary).toBeLessThanOrEqual(62);
    }
    expect(stdout).toMatch(/^Exit codes:\n {2}0 /m);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('of the program loads no command, so that it is there at once', async () => {
    const { stdout } = await tieout(['--help'], {
      node: ['--import', new URL('../support/list-modules.js', import.meta.url).href],
    });
    const loaded = stdout
      .split('\n')
      .flatMap((line) => /^module .*\/dist\/(\w[\w-]*)\.js$/.exec(line)?.[1] ?? []);
    expect(loaded).toContain('tieout');
    expect(loaded.length).toBeLessThan(12);
    const names = loaded.map((file) => file.replace(/-[\w-]{8}$/, ''));
    expect(COMMANDS.filter(({ name }) => names.includes(name))).toEqual([]);
  });

  test.for(COMMANDS.map((entry) => [entry.name, entry] as const))(
    'of `tieout %s` shows how it is used, with an example that the command understands',
    async ([name, { examples, group, load }]) => {
      const page = PAGES[group];
      const { code, stdout } = await tieout([name, '--help']);
      expect(code).toBe(0);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(stdout).toContain(`\nRead more: ${page}\n`);
      expect(existsSync(new URL(`../../${page}`, import.meta.url)), page).toBe(true);
      const build = await load();
      for (const example of examples) {
        expect(stdout).toContain(`\n  ${example}`);
        const [program, ...words] = wordsOf(example.replace(/ > .*/, ''));
        expect([program, words[0]]).toEqual(['tieout', name]);
        const parsed: string[] = [];
        const command = neutral(
          build({} as never, () => {}),
          parsed,
        );
        await command.parseAsync(words.slice(1), { from: 'user' });
        expect(parsed).toHaveLength(1);
      }
    },
  );

  test('of every command inside another shows its own examples', async () => {
    const inside: string[][] = [];
    for (const { name, load } of COMMANDS)
      inside.push(
        ...leavesOf(
          (await load())({} as never, () => {}),
          [name],
        ).filter((path) => path.length > 1),
      );
    expect(inside.length).toBeGreaterThanOrEqual(10);
    for (const path of inside) {
      const { stdout } = await tieout([...path, '--help']);
      expect(stdout).toContain(`\nExample:\n  tieout ${path.join(' ')}`);
    }
  });
});

describe('a shell', () => {
  test.for(['bash', 'zsh', 'fish'])('is given a script for %s', async (shell) => {
    const { code, stdout } = await launch(['completion', shell]);
    expect([code, stdout.startsWith('#')]).toEqual([0, true]);
    expect(stdout).toContain('tieout complete --');
  });

  test('completes commands, those inside them, and options', async () => {
    const offered = async (...words: string[]): Promise<readonly string[]> => {
      const { stdout } = await launch(['complete', '--', ...words]);
      return stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
    };
    expect(await offered('cl')).toContain('close');
    expect(await offered('account', 'key', '')).toEqual(expect.arrayContaining(['add', 'list', 'revoke']));
    expect(await offered('close', '--only')).toContain('--only-news');
  });
});

/** The commands inside a command that do something themselves, each by its words. */
const leavesOf = (command: Command, path: string[]): string[][] =>
  command.commands.length === 0
    ? [path]
    : command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));

/** The words of a command line as a shell sees them. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );

/** The command as it is, except that it only notes that it would have run. */
const neutral = (command: Command, parsed: string[]): Command => {
  command.exitOverride();
  if (command.commands.length === 0) command.action(() => void parsed.push(command.name()));
  for (const child of command.commands) neutral(child, parsed);
  return command;
};
