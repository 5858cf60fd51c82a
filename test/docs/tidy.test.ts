import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The files that git tracks or would track. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const sources = files.filter((path) => /^(src|pipelines|test)\/.*\.(ts|js)$/.test(path));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('house rules', () => {
  test('no file is a drawer for what has no name', () => {
    const drawers = /(^|\/)(util|utils|helper|helpers|types|common|misc)\.ts$/;
    expect(files.filter((path) => drawers.test(path))).toEqual([]);
  });

  test('only the entry point and the composition root read the environment', () => {
    const using = (use: RegExp): string[] =>
      sources.filter((path) => path.startsWith('src/') && use.test(textOf(path)));
    expect(using(/process\.(env|argv)/)).toEqual(['src/main.ts', 'src/start.js']);
  });

  test('every decision has a number of its own, and its heading says it with the day', () => {
    const decisions = files.filter((path) => /^docs\/decisions\/\d/.test(path));
    const numberOf = (path: string): number => Number(path.slice('docs/decisions/'.length).split('-')[0]);
    expect(new Set(decisions.map(numberOf)).size).toBe(decisions.length);
    const isHeaded = (path: string): boolean =>
      new RegExp(`^# ${numberOf(path)}\\. .+ \\(\\d{4}-\\d\\d-\\d\\d\\)\n`).test(textOf(path));
    expect(decisions.filter((path) => !isHeaded(path))).toEqual([]);
  });

  test('docs/decisions/README.md lists every decision (npm test -- -u test/docs writes it again)', async () => {
    const lines = files
      .filter((path) => /^docs\/decisions\/\d/.test(path))
      .map(
        (path) => `- [${textOf(path).slice(2).split('\n')[0]}](${path.slice('docs/decisions/'.length)})\n`,
      );
    const index = `# Decisions\n\nOne short record for each decision worth arguing about.\n\n${lines.join('')}`;
    await expect(index).toMatchFileSnapshot('../../docs/decisions/README.md');
  });

  test('no source file of the product is longer than 400 lines', () => {
    const long = sources.filter((path) => path.startsWith('src/') && textOf(path).split('\n').length > 400);
    expect(long).toEqual([]);
  });

  test('every folder of the product says what it is', () => {
    const folders = new Set(sources.filter((path) => path.startsWith('src/')).map((path) => dirname(path)));
    expect([...folders].filter((folder) => !files.includes(`${folder}/README.md`))).toEqual([]);
  });

  test('no state is named in the code of the engine: law is data', () => {
    // CA and DE are left out: they are also the codes of countries.
    const state =
      /'(A[LKZR]|C[OT]|DC|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY])'/;
    const engine = sources.filter((path) => path.startsWith('src/engine/'));
    expect(engine.length).toBeGreaterThan(5);
    expect(engine.filter((path) => state.test(textOf(path)))).toEqual([]);
  });

  test('no registry host and no absolute path of a machine is written down', () => {
    const texts = files.filter(
      (path) =>
        /\.(ts|js|json|md|yaml|yml)$|^\.ci\/run$|^\.npmrc$/.test(path) && path !== 'test/docs/tidy.test.ts',
    );
    const place = /https?:\/\/registry\.|\/(root|home\/\w+|work)\/(?!\w*\*)/;
    expect(texts.filter((path) => place.test(textOf(path)))).toEqual([]);
  });
});
