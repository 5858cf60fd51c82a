import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isSalesProfile, shippedProfiles } from '../../src/sales/detect-profile.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PAGE = readFileSync(at('docs/source-profiles.md'), 'utf8');

const codesInSource = (): readonly string[] =>
  ['src/sales', 'src/read'].flatMap((folder) =>
    readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [
        ...readFileSync(join(at(folder), path), 'utf8').matchAll(/\bcode: '([a-z][a-z-]+)'/g),
      ])
      .map(([, code]) => code ?? '')
      // The code of a problem in the schema of a profile, which says it in words.
      .filter((code) => code !== 'custom'),
  );

const codesInProfiles = (): readonly string[] =>
  shippedProfiles()
    .filter(isSalesProfile)
    .flatMap(({ rules, checks }) => [
      ...rules.flatMap(({ reason }) => reason ?? []),
      ...checks.map(({ name }) => name),
    ]);

describe('docs/source-profiles.md', () => {
  test('names every reason code', () => {
    const missing = [...codesInSource(), ...codesInProfiles()].filter(
      (code) => !PAGE.includes(`\`${code}\``),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  test('names no reason code that the source does not have', () => {
    const source = ['src/sales', 'src/read']
      .flatMap((folder) =>
        readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
          .filter((path) => /\.(ts|yaml)$/.test(path))
          .map((path) => readFileSync(join(at(folder), path), 'utf8')),
      )
      .join('\n');
    const rows = [...PAGE.matchAll(/^- \*\*(?:warning|review|rejected|ignored)\*\*: ([\s\S]*?)\n(?=-|$)/gm)];
    const listed = rows.flatMap(([, codes = '']) => [...codes.matchAll(/`([a-z-]+)`/g)]);
    expect(listed.length).toBeGreaterThan(50);
    for (const [, code] of listed) expect(source, code).toContain(code);
  });
});
