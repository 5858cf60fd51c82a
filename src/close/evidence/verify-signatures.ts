import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile } from '../../runtime/publish-folder.ts';
import { type AllowedSigners, refusedBy } from './allowed-signers.ts';
import { LOCK_FILE, type LockLine, lockLinesIn, signerOfLine, versionLabel } from './lock-line.ts';
import { contentDigestOf, MANIFEST_PATH, type Manifest } from './manifest.ts';
import { fingerprintOf, NAMESPACE } from './ssh-signature.ts';
import type { Problem } from './verify-files.ts';

/** A person who signed, and how far that is proved. */
export type Signer = {
  readonly role: string;
  readonly name: string;
  readonly at: string;
  /** Fingerprint of the key; `null` for a name without a key. */
  readonly key: string | null;
  /** Whether the key belongs to that person according to the given allowed signers. */
  readonly isAllowed: boolean;
};

/** Reads the lines of the register in a folder: none without a lock or signature, and why they cannot be read. */
export const readLockLines = async (folder: string): Promise<readonly LockLine[] | string> => {
  let text: string;
  try {
    text = await readFile(join(folder, LOCK_FILE), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? [] : `${LOCK_FILE} cannot be read (${code})`;
  }
  return lockLinesIn(text)?.map(({ line }) => line) ?? `${LOCK_FILE} is not a list of lines of locks`;
};

/**
 * Checks that the manifest is unchanged, that each line is about it, which lists all other files, and that every signature is
 * valid.
 */
export const checkSignatures = async (
  folder: string,
  { content, contentDigest }: Manifest,
  lines: readonly LockLine[] | string,
  allowed: AllowedSigners | undefined,
): Promise<Problem> => {
  if (contentDigestOf(content) !== contentDigest) return 'the content of the manifest was changed';
  if (typeof lines === 'string') return lines;
  if (allowed && standing(lines).length === 0) return 'no one has signed it';
  const manifest = await sha256OfFile(join(folder, MANIFEST_PATH));
  for (const line of lines) {
    if (versionLabel(line) !== content.period.label || line.entity !== content.entity)
      return `${LOCK_FILE} has a line of ${line.entity} ${versionLabel(line)}`;
    if (line.manifest !== manifest)
      return `${MANIFEST_PATH} is not the one that ${line.by.name} has ${line.what}`;
    const problem = signatureProblem(line, line.what === 'signed' ? allowed : undefined);
    if (problem !== undefined)
      return `the signature of ${line.by.name}${line.by.role === '' ? '' : ` as ${line.by.role}`}: ${problem}`;
  }
  return undefined;
};

const signatureProblem = (line: LockLine, allowed: AllowedSigners | undefined): Problem => {
  const publicKey = signerOfLine(line);
  if (publicKey === undefined) return allowed && 'it is a name only, and no key has signed';
  if (typeof publicKey === 'string') return publicKey;
  const { by, at } = line;
  return allowed && refusedBy(allowed, { publicKey, name: by.name, at, namespace: NAMESPACE });
};

/** The signatures in effect: a later one takes the place of the one before it in its role. */
const standing = (lines: readonly LockLine[]): readonly LockLine[] => {
  const signed = lines.filter(({ what }) => what === 'signed');
  return [...new Map(signed.map((line) => [line.by.role, line])).values()];
};

/** Lists who signed. */
export const signersOf = (
  lines: readonly LockLine[],
  allowed: AllowedSigners | undefined,
): readonly Signer[] =>
  standing(lines).map((line) => {
    const publicKey = signerOfLine(line);
    const key = Buffer.isBuffer(publicKey) ? fingerprintOf(publicKey) : null;
    const isAllowed = allowed !== undefined && key !== null && signatureProblem(line, allowed) === undefined;
    return { role: line.by.role, name: line.by.name, at: line.at, key, isAllowed };
  });
