import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readFilingLaw } from '../../src/close/filing-law/read-filing-law.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const returnsOf = async (...args: readonly string[]) =>
  JSON.parse((await tieout(['returns', ...args, '--on', '2026-10-31', '--json'])).stdout) as {
    returns: readonly { state: string; form: string; lines: readonly object[]; due: string }[];
  };

describe('tieout returns', () => {
  test('lists each return in force, and the general one for the others', async () => {
    const { code, stdout } = await tieout(['returns', '--on', '2026-10-31']);
    expect(code).toBe(0);
    const listed = stdout.split('\n').slice(1, -1);
    const { returns } = await returnsOf();
    expect(listed).toHaveLength(returns.length);
    for (const [index, { state, form, lines, due }] of returns.entries()) {
      const row = listed[index] ?? '';
      expect(row.startsWith(`${state} `), row).toBe(true);
      for (const cell of [form, ` ${lines.length} `, due]) expect(row).toContain(cell);
    }
    const states = returns.map(({ state }) => state);
    expect(new Set(states).size).toBe(21);
    expect(states).toContain('*');
    expect(stdout).toMatch(/^VA +ST-1 /m);
    expect(stdout).not.toContain('ST-9  any  2013');
  });

  test('shows one return line by line, with what no source shows', async () => {
    const { stdout: massachusetts } = await tieout(['returns', 'MA', '--on', '2026-10-31']);
    expect(massachusetts).toContain('MA ST-9: Sales and Use Tax Return');
    expect(massachusetts).toMatch(
      /^7 +Total taxes +cents\(\[6\] \* rate\.state\) \+ excess - shortfall +tax +verified$/m,
    );
    expect(massachusetts).toMatch(/^Paid .* not verified$/m);
  });

  test('a state without a return of its own has the general one, due as far as is known', async () => {
    const { stdout: utah } = await tieout(['returns', 'UT', '--on', '2026-10-31']);
    expect(utah).toMatch(/^\* General: .*\nRevision not a form of any state; not verified; due /);
  });
});

describe('a row of law with a mistake', () => {
  test('is refused with its file, every place and rule, and what to try', async () => {
    const folder = await temporaryFolder();
    await cp(new URL('../../src/close/filing/data', import.meta.url), folder, { recursive: true });
    const file = join(folder, 'forms/ma-st-9.yaml');
    const form = await readFile(file, 'utf8');
    await writeFile(file, form.replace(/^revision.*$/m, 'revison: 3/15').replace('rate.state', 'rate.stat'));
    expect(() => readFilingLaw(pathToFileURL(`${folder}/`))).toThrow(
      expect.objectContaining({
        code: 'E_LAW_INVALID',
        message: `${file}: revision: is missing; unknown key "revison"; did you mean "revision"?`,
      }),
    );
    await writeFile(file, form.replace('rate.state', 'rate.stat'));
    expect(() => readFilingLaw(pathToFileURL(`${folder}/`))).toThrow(
      `${file}: lines: line 7 speaks of the rate stat, which there is not`,
    );
  });
});
