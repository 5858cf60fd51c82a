import { globSync, readFileSync } from 'node:fs';
import { matchesGlob, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { files } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { files: readonly string[] };

/** What npm packs: README.md always, and what `files` names, but for what begins with an exclamation mark. */
const isPacked = (path: string): boolean => {
  const isNamed = (pattern: string): boolean =>
    matchesGlob(path, pattern) || path === pattern || path.startsWith(`${pattern}/`);
  return (
    path === 'README.md' ||
    (files.some((pattern) => !pattern.startsWith('!') && isNamed(pattern)) &&
      !files.some((pattern) => pattern.startsWith('!') && isNamed(pattern.slice(1))))
  );
};

const packed = globSync('{README.md,{docs,samples}/**/*.*}', { cwd: ROOT }).filter(isPacked);
/** A file that is packed, or a folder with such files. */
const ships = (path: string): boolean =>
  packed.some((file) => file === path || file.startsWith(path.endsWith('/') ? path : `${path}/`));
const paragraphsOf = (page: string): readonly string[] =>
  readFileSync(`${ROOT}${page}`, 'utf8').split(/\n\s*\n/);

describe('the docs in the archive', () => {
  const pages = packed.filter((path) => path.endsWith('.md'));

  test('link to nothing but what is in the archive, pictures among it', () => {
    const links = pages.flatMap((page) =>
      paragraphsOf(page).flatMap((text) =>
        [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, to = '']) => [page, to] as const),
      ),
    );
    expect(links.length).toBeGreaterThan(25);
    expect(links.filter(([, to]) => /\.(webp|svg)$/.test(to)).length).toBeGreaterThan(5);
    expect(links.filter(([page, to]) => !ships(posix.join(posix.dirname(page), to)))).toEqual([]);
  });

  test('say of every other file that they name that it is in the repository', () => {
    const named = pages.flatMap((page) =>
      paragraphsOf(page)
        .filter((text) => !text.includes('repository'))
        .flatMap((text) =>
          [...text.matchAll(/`((?:docs|src|test|scripts|samples)\/[\w./-]*|[A-Z]+\.md)`/g)].map(
            ([, path = '']) => [page, path] as const,
          ),
        ),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(([, path]) => !ships(path))).toEqual([]);
  });
});
