import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/kernel/json.ts';
import { forgeLines } from '../security/tamperings/pack.ts';
import type { Month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import { rowsOf } from '../support/rows.ts';
import { tieout } from '../support/tieout.ts';

const NAME = 'dana@shop.example';

const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

const newKey = (folder: string, name: string, ...more: readonly string[]): string => {
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file, ...more]);
  return file;
};

const closedMonth = preparedMonth({ orders: [{ name: '#1' }] }, async (shop) => {
  await shop.told(0, 'close', '2026-10');
  if (hasSshKeygen) for (const name of ['dana', 'kim']) newKey(shop.folder, name);
});

const sign = (shop: Month, ...more: readonly string[]) =>
  shop.run('sign', '2026-10', '--as', NAME, '--role', 'preparer', ...more);

const signed = async (): Promise<Month> => {
  const shop = await closedMonth();
  expect(await sign(shop, '--key', join(shop.folder, 'dana'))).toMatchObject({ code: 0, stderr: '' });
  return shop;
};

const publicKey = async (shop: Month, name: string): Promise<string> =>
  (await readFile(join(shop.folder, `${name}.pub`), 'utf8')).trim();

/** The text that was signed, put together as docs/auditors.md says, and its signature. */
const signedIn = async (
  shop: Month,
): Promise<{
  readonly text: string;
  readonly signature: string;
}> => {
  const [line] = JSON.parse(await readFile(join(shop.out(), 'evidence/lock.json'), 'utf8'));
  const { entity, period, by, at, why, manifest } = line;
  const fields = { entity, period, role: by.role, name: by.name, at, why, manifest };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return { text: ['Tieout signature', ...lines, ''].join('\n'), signature: by.signature };
};

/** What `verify` prints under these allowed signers. */
const verified = async (shop: Month, allowed?: string) => {
  const file = join(shop.folder, 'allowed');
  if (allowed !== undefined) await writeFile(file, allowed);
  return tieout(['verify', shop.out(), ...(allowed === undefined ? [] : ['--allowed-signers', file])]);
};

describe.skipIf(!hasSshKeygen)('a signature with an SSH key', () => {
  test('is what ssh-keygen makes of the same bytes, and ssh-keygen verifies it without Tieout', async () => {
    const shop = await signed();
    const { text, signature } = await signedIn(shop);
    expect(text).toContain(`name: ${NAME}\n`);
    expect(text).toContain(
      `manifest: ${sha256(await readFile(join(shop.out(), 'evidence/manifest.json')))}\n`,
    );
    const statement = join(shop.folder, 'signed.txt');
    const proof = join(shop.folder, 'proof.sig');
    await writeFile(statement, text);
    await writeFile(proof, signature);

    const allowed = join(shop.folder, 'allowed');
    await writeFile(allowed, `${NAME} namespaces="tieout" ${await publicKey(shop, 'dana')}\n`);
    const args = ['-Y', 'verify', '-f', allowed, '-I', NAME, '-n', 'tieout', '-s', proof];
    expect(spawnSync('ssh-keygen', args, { input: text }).status).toBe(0);
    expect(spawnSync('ssh-keygen', args, { input: `${text}x` }).status).not.toBe(0);

    const copy = join(shop.folder, 'statement.txt');
    await copyFile(statement, copy);
    execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', join(shop.folder, 'dana'), '-n', 'tieout', copy], {
      stdio: 'ignore',
    });
    expect(await readFile(`${copy}.sig`, 'utf8')).toBe(signature);
  });

  test('is named by verify with the fingerprint', async () => {
    const shop = await signed();
    const fingerprint = execFileSync('ssh-keygen', ['-l', '-f', join(shop.folder, 'dana.pub')])
      .toString()
      .split(' ')[1];
    const { code, stdout } = await verified(shop);
    expect(code).toBe(0);
    expect(stdout).toContain(`signed by ${NAME} as preparer`);
    expect(stdout).toContain(`with ${fingerprint}: --allowed-signers says whose key it is`);
  });

  test.for(
    rowsOf(`
      the name and the key | NAME KEY                                              |
      the namespace        | NAME namespaces="git,tieout" KEY                      |
      another name         | kim@shop.example KEY                                  | is not that of NAME
      another namespace    | NAME namespaces="git" KEY                             | not allowed to sign for tieout
      no one               | # no one                                              | not among the allowed signers`),
  )('under allowed signers with %s', async ([, line, problem]) => {
    const shop = await signed();
    const text = line.replace('NAME', NAME).replace('KEY', await publicKey(shop, 'dana'));
    const { code, stdout } = await verified(shop, `\n${text}\n`);
    expect([code, stdout]).toEqual([
      problem === '' ? 0 : 1,
      expect.stringContaining(problem.replace('NAME', NAME) || 'an allowed key'),
    ]);
  });

  test('does not hold by another key, another namespace, or another text', async () => {
    const shop = await signed();
    const { text } = await signedIn(shop);
    const allowed = `${NAME} ${await publicKey(shop, 'dana')}\n`;
    const replacedBy = async (key: string, namespace: string, signedText: string): Promise<string> => {
      const copy = join(shop.folder, 'other.txt');
      await writeFile(copy, signedText);
      await rm(`${copy}.sig`, { force: true });
      const args = ['-q', '-Y', 'sign', '-f', join(shop.folder, key), '-n', namespace, copy];
      execFileSync('ssh-keygen', args, { stdio: 'ignore' });
      const signature = await readFile(`${copy}.sig`, 'utf8');
      await forgeLines(shop.out(), (lines) =>
        lines.map((line) => ({ ...line, by: { ...line.by, signature } })),
      );
      return (await verified(shop, allowed)).stdout;
    };
    expect(await replacedBy('dana', 'tieout', text)).toContain('an allowed key');
    expect(await replacedBy('kim', 'tieout', text)).toContain('not among the allowed signers');
    expect(await replacedBy('dana', 'git', text)).toContain('it is for "git", and not for "tieout"');
    expect(await replacedBy('dana', 'tieout', `${text}x`)).toContain('its key has not signed this');
  });

  test('needs a key that can sign', async () => {
    const shop = await closedMonth();
    const locked = newKey(shop.folder, 'locked', '-N', 'secret');
    const refused = async (file: string): Promise<string> => (await sign(shop, '--key', file)).stderr;
    expect(await refused(locked)).toMatch(/^E_SIGNING_KEY: .*without a passphrase[\s\S]*ssh-keygen -p/);
    expect(await refused(`${join(shop.folder, 'dana')}.pub`)).toContain('is not a private key of OpenSSH');
    expect(await refused(join(shop.folder, 'nowhere'))).toContain('cannot be read: it is not there (ENOENT)');
    const rsa = join(shop.folder, 'rsa');
    execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', rsa]);
    expect(await refused(rsa)).toContain('of the type ed25519');
    expect((await verified(shop)).stdout).toContain('no one has signed it');
  });
});

test('without a key both sign and verify say that it is a name only, and with allowed signers it does not hold', async () => {
  const shop = await closedMonth();
  expect((await sign(shop)).stdout).toContain('; by name only: `--key` adds the proof of an SSH key');
  expect(await verified(shop)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('a name only, without a key'),
  });
  expect(await verified(shop, `${NAME} ssh-ed25519 AAAA`)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('it is a name only, and no key has signed'),
  });
});

test('no one has signed what is not signed, and a file that is not one of allowed signers is refused', async () => {
  const shop = await closedMonth();
  expect((await verified(shop, '')).stdout).toContain('no one has signed it');
  for (const [text, problem] of [
    ['dana', ':1: it names no key'],
    ['dana cert-authority ssh-ed25519 AAAA', ':1: its option cert-authority is not supported'],
    ['\n* ssh-ed25519 AAAA', ':2: * is a pattern: write each name'],
    [
      'dana valid-before="20200101" ssh-ed25519 AAAA',
      ':1: its option valid-before="20200101" is not supported',
    ],
  ] as const) {
    const { code, stderr } = await verified(shop, text);
    expect([code, stderr]).toEqual([65, expect.stringContaining(problem)]);
  }
});
