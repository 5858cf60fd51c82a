import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SCRIPT = resolve('scripts/check-size.ts');

const FIGURES = {
  'src lines': 100,
  'src files': 2,
  'src tokens a line': 5.03,
  'scripts lines': 0,
  'scripts files': 0,
  'scripts tokens a line': 0,
  'test lines': 1,
  'test files': 1,
  'test tokens a line': 5,
  'guides words': 3,
  'decisions records': 1,
  'decisions words': 2,
  'changelog words': 1,
  commands: 1,
  'configuration keys': 1,
  sheets: 1,
};

type Raise = { what: string; by: number; issue: number };

/** A small project of exactly `FIGURES`, with one commit for each state of size.json. */
function project(...states: { ceilings: Record<string, number>; raised?: Raise[] }[]) {
  const root = mkdtempSync(join(tmpdir(), 'size-'));
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: root });
  write('src/cli/command-table.ts', 'export const COMMANDS = [1];\n');
  write('src/long.ts', `// a comment\n\n${'let x = 1;\n'.repeat(99)}`);
  write('test/a.test.ts', 'let x = 1;\n');
  write('docs/guide.md', 'three short words\n');
  write('docs/reasons.md', 'printed pages do not count\n');
  write('docs/configuration.md', '| Key |\n| `entity` |\n');
  write('docs/decisions/0001-one.md', 'two words\n');
  write('CHANGELOG.md', 'word\n');
  write('test/oracle/golden/sample-month/variance.xlsx/Detail.txt', '');
  write('test/oracle/golden/sample-month/variance.xlsx/Book.txt', '');
  git('init', '-q');
  for (const { ceilings, raised = [] } of states) {
    write('size.json', JSON.stringify({ ceilings, raised }));
    git('add', '.');
    git('commit', '-q', '-m', 'a step');
  }
  const check = () => {
    const run = spawnSync(process.execPath, [SCRIPT], { cwd: root, encoding: 'utf8' });
    return {
      code: run.status,
      problems: run.stderr
        .trim()
        .split('\n')
        .filter((line) => line !== ''),
    };
  };
  return { check, write, root };
}

test('figures at their ceilings pass; blank lines, comments and printed pages do not count', () => {
  expect(project({ ceilings: FIGURES }).check()).toEqual({ code: 0, problems: [] });
});

test('a figure above its ceiling fails, also one that is not committed yet', () => {
  const { check, write } = project({ ceilings: FIGURES });
  write('src/new.ts', 'let y = 2;\n');
  expect(check()).toEqual({
    code: 1,
    problems: [
      'src lines: 101 is above its ceiling, 100: remove something',
      'src files: 3 is above its ceiling, 2: remove something',
    ],
  });
});

test('a ceiling that was lower once stays there', () => {
  const higher = { ...FIGURES, 'src lines': 101 };
  expect(project({ ceilings: FIGURES }, { ceilings: higher }).check()).toEqual({
    code: 1,
    problems: ['src lines: its ceiling was 100 before and is 101 now: ceilings only fall'],
  });
});

test('commands may rise by what an issue names, lines may not', () => {
  const more = { ...FIGURES, commands: 2 };
  const named = project(
    { ceilings: FIGURES },
    { ceilings: more, raised: [{ what: 'commands', by: 1, issue: 56 }] },
  );
  named.write('src/cli/command-table.ts', 'export const COMMANDS = [1, 2];\n');
  expect(named.check().problems).toEqual([
    'src tokens a line: 5.05 is above its ceiling, 5.03: remove something',
  ]);

  const unnamed = project({ ceilings: FIGURES }, { ceilings: more });
  expect(unnamed.check().problems).toContain(
    'commands: its ceiling was 1 before and is 2 now: ceilings only fall',
  );

  const lines = project({ ceilings: FIGURES, raised: [{ what: 'src lines', by: 9, issue: 56 }] });
  expect(lines.check().problems).toContain('size.json: "src lines" may not be raised, or names no issue');
});

test('without history, without a ceiling, or with an unknown one the check fails', () => {
  const { check, write } = project();
  write('size.json', JSON.stringify({ ceilings: FIGURES, raised: [] }));
  expect(check().code).not.toBe(0);

  const { sheets: _, ...fewer } = FIGURES;
  expect(project({ ceilings: { ...fewer, sheep: 1 } }).check().problems).toEqual([
    'size.json: "sheep" is not measured; remove it',
    'size.json has no ceiling for "sheets": add 1',
  ]);
});
