import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies',
  Readonly<Record<string, string>>
>;
const lock = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
const [, inProgram = '', forDevelopment = ''] = read('docs/dependencies.md').split(/^## /m);
const namesIn = (part: string): readonly string[] =>
  [...part.matchAll(/^\| ([@\w./-]+)(?: \d+)? +\| .*\w.*\|$/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'package');

/** Packages that the sources of the program import. */
const imported: ReadonlySet<string> = new Set(
  execFileSync('git', ['ls-files', 'src', 'pipelines'], { cwd: fileURLToPath(ROOT), encoding: 'utf8' })
    .split('\n')
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [
      ...read(path).matchAll(/(?:from|import\() ?'((?:@[\w.-]+\/)?[a-z][\w.-]*)[\w/.-]*'/g),
    ])
    .map(([, name = '']) => name),
);

describe('docs/dependencies.md', () => {
  test('has every package of the program, with its reason, and no other', () => {
    const own = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => imported.has(name));
    expect([...namesIn(inProgram)].sort()).toEqual(own.sort());
  });

  test('has every package for development but types, and no other', () => {
    const tools = Object.keys(devDependencies).filter(
      (name) => !name.startsWith('@types/') && !imported.has(name),
    );
    expect([...namesIn(forDevelopment)].sort()).toEqual(tools.sort());
  });
});

describe('what is installed', () => {
  test('is of one version each, and no range', () => {
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  });

  test('is what the lock has the digest of; only packages that no platform here installs have none', () => {
    const unproven = Object.entries(lock.packages).filter(
      ([path, { integrity, os }]) => path !== '' && integrity === undefined && os === undefined,
    );
    expect(unproven).toEqual([]);
    const digests = Object.values(lock.packages).flatMap(({ integrity }) => integrity ?? []);
    expect(digests.length).toBeGreaterThan(300);
    expect(digests.filter((digest) => !/^sha512-[\w+/]{86}==$/.test(String(digest)))).toEqual([]);
  });

  test('runs no script of its own while it is installed, but the one of Node', () => {
    const scripted = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: object };
    expect(Object.keys(allowScripts)).toEqual(['node']);
    expect(
      scripted.map(([path]) => path.replace(/^.*node_modules\//, '')).filter((name) => name !== 'fsevents'),
    ).toEqual(['node']);
  });
});
