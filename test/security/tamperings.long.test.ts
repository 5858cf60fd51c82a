import { execFileSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { LOCK_FILE } from '../../src/evidence/lock-line.ts';
import { sampleMerchant, sharedFolder, temporaryFolder, tieout } from '../support/tieout.ts';
import { OF_BOOKS } from './tamperings/books.ts';
import { FLIPS, OF_FILES } from './tamperings/files.ts';
import { OF_LOGS } from './tamperings/logs.ts';
import { OF_THE_MANIFEST } from './tamperings/manifest.ts';
import { forge, forgeLines } from './tamperings/pack.ts';
import { BEYOND, OF_SIGNATURES } from './tamperings/signatures.ts';

/** One closed month, signed by two people with keys; every tampering gets a copy of it. */
const shared = sharedFolder();
const closed = join(shared, 'closed');
const signed = join(shared, 'signed', '2026-10');
const allowed = join(shared, 'allowed');
const PERIOD = ['output', 'harbor-and-pine', '2026-10'];

const keyOf = (name: string): string => join(shared, `key-${name}`);
const newKey = (name: string): void => {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', keyOf(name)]);
};

beforeAll(async () => {
  const merchant = await sampleMerchant(closed);
  const configuration = await readFile(merchant.config, 'utf8');
  await writeFile(merchant.config, configuration.replace('output: ../../output', 'output: output'));
  await merchant.close(['2026-10', '--working-papers']);
  const signers: string[] = [];
  for (const [name, role] of [
    ['dana@shop.example', 'preparer'],
    ['kim@shop.example', 'reviewer'],
  ] as const) {
    newKey(name);
    signers.push(`${name} namespaces="tieout" ${await readFile(`${keyOf(name)}.pub`, 'utf8')}`);
    const args = ['sign', '2026-10', '--as', name, '--role', role, '--key', keyOf(name)];
    const where = ['--config', merchant.config, '--output', merchant.output];
    expect(await tieout([...args, ...where])).toMatchObject({ code: 0, stderr: '' });
  }
  newKey('mallory');
  await writeFile(allowed, signers.join(''));
  await cp(join(closed, ...PERIOD), signed, { recursive: true });
});

/** What `verify` finds wrong, and whether it says so by its exit code. */
const problemOf = async (pack: string, ...more: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await tieout(['verify', pack, '--json', ...more]);
  if (code === 65) return stderr + stdout;
  const { holds, periods } = JSON.parse(stdout) as {
    holds: boolean;
    periods: readonly { readonly verdicts: readonly { readonly problem?: string }[] }[];
  };
  const problem = periods.flatMap(({ verdicts }) => verdicts.flatMap((each) => each.problem ?? [])).join();
  expect({ holds, code }).toEqual({ holds: problem === '', code: problem === '' ? 0 : 1 });
  return problem;
};

const copied = async (from = signed): Promise<string> => {
  const pack = join(await temporaryFolder(), '2026-10');
  await cp(from, pack, { recursive: true });
  return pack;
};

const TABLE = [...FLIPS, ...OF_FILES, ...OF_BOOKS, ...OF_THE_MANIFEST, ...OF_LOGS, ...OF_SIGNATURES];

describe('a closed and signed month', () => {
  test('holds as it was published, with the keys of both', async () => {
    expect(await problemOf(await copied(), '--allowed-signers', allowed)).toBe('');
  });

  test(`is tried in ${TABLE.length} ways, at least 205, and at least 28 of them are flipped bytes`, () => {
    expect(new Set(TABLE.map(([name]) => name)).size).toBe(TABLE.length);
    expect(TABLE.length).toBeGreaterThanOrEqual(205);
    expect(FLIPS.length).toBeGreaterThanOrEqual(28);
  });

  test.for(TABLE)('%s: it is found and named', async ([, tamper, problem]) => {
    const pack = await copied();
    await tamper(pack);
    const found = await problemOf(pack);
    expect(found).not.toBe('');
    expect(found).toContain(problem);
    expect(found).not.toContain('E_DEFECT');
  });

  test.for(BEYOND)('%s: it is beyond any digest, and found with the keys', async ([, tamper, problem]) => {
    const pack = await copied();
    await tamper(pack);
    expect(await problemOf(pack)).toBe('');
    expect(await problemOf(pack, '--allowed-signers', allowed)).toContain(problem);
  });

  test('one of two signatures taken off: beyond any digest and any key, and not shown any more', async () => {
    const pack = await copied();
    await forgeLines(pack, (lines) => lines.filter(({ by }) => by.role !== 'reviewer'));
    expect(await problemOf(pack, '--allowed-signers', allowed)).toBe('');
    const { stdout } = await tieout(['verify', pack]);
    expect(stdout).toContain('dana@shop.example');
    expect(stdout).not.toContain('kim@shop.example');
  });

  test('an invented acceptance, with everything drawn to fit: beyond any digest, and found with the keys', async () => {
    const forger = await sampleMerchant();
    const decided = join(forger.folder, 'decisions.csv');
    const decisions = await readFile(decided, 'utf8');
    const asked = 'certificate asked of the customer on November 3';
    expect(decisions).toContain(asked);
    await writeFile(decided, decisions.replace(asked, 'the certificate is on file'));
    await forger.close();
    const pack = join(forger.output, 'harbor-and-pine', '2026-10');
    await cp(join(signed, LOCK_FILE), join(pack, LOCK_FILE));
    await forge(pack);
    const logged = gunzipSync(await readFile(join(pack, 'evidence/report.ndjson.gz'))).toString();
    expect(logged).toContain('"why":"the certificate is on file"');
    expect(await problemOf(pack)).toBe('');
    expect(await problemOf(pack, '--allowed-signers', allowed)).toContain('a name only');
  });
});
