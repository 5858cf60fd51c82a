import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { digestOf, type Json } from '../../kernel/digest.ts';
import { designedError } from '../../kernel/disk-failure.ts';
import { sha256OfFile } from '../../runtime/publish-folder.ts';
import { lockLinesIn, signerOfLine, type TextLine, versionLabel } from './lock-line.ts';
import { MANIFEST_PATH, type Manifest } from './manifest.ts';

/** The lock in the folder of its period. A close never writes it, and a manifest never lists it. */
export const LOCK_PATH = 'evidence/lock.json';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const FrozenFile = z.strictObject({ path: z.string(), sha256: Sha256, bytes: z.int().min(0) });

/** The content that a lock froze. Its digest is the digest of the lock. */
const FrozenPeriod = z.looseObject({
  label: z.string(),
  first: z.string(),
  last: z.string(),
  sales: z.strictObject({ count: z.int(), digest: Sha256 }),
  over: z.array(z.string()).readonly().optional(),
  files: z.array(FrozenFile),
});

const LockStatement = z.strictObject({
  format: z.literal('tieout-lock-1'),
  entity: z.string(),
  /** The period as first locked, without the number of the version. */
  period: z.string(),
  /** 0, or the number of the amended version. */
  version: z.int().min(0),
  digest: Sha256,
  at: z.string(),
  who: z.string(),
  why: z.string(),
  snapshot: FrozenPeriod,
  /** Digest of all other fields. */
  statementDigest: Sha256,
});
/** `evidence/lock.json`: who locked the period when, and everything that the lock froze. */
export type LockStatement = z.output<typeof LockStatement>;

/** Formats the statement as the text of its file. */
export const lockStatementText = (statement: Omit<LockStatement, 'statementDigest'>): string =>
  textOf({ ...statement, statementDigest: digestOf(statement as Json) });

const textOf = (statement: object): string => `${JSON.stringify(statement, null, 2)}\n`;

/** Reads the lock in a folder; returns why it cannot be read, or `undefined` if there is none. */
export const readLockStatement = async (folder: string): Promise<LockStatement | string | undefined> => {
  let text: string;
  try {
    text = await readFile(join(folder, LOCK_PATH), 'utf8');
  } catch (error) {
    const designed = designedError(error);
    if (designed) throw designed;
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `${LOCK_PATH} cannot be read (${code})`;
  }
  try {
    const found: unknown = JSON.parse(text);
    const statement = LockStatement.parse(found);
    const { statementDigest, ...said } = statement;
    if (digestOf(said as Json) !== statementDigest || textOf(found as object) !== text)
      return `${LOCK_PATH} was changed`;
    return statement;
  } catch {
    return `${LOCK_PATH} is not the statement of a lock`;
  }
};

/** Checks that the lock in the folder froze exactly the files that are there. */
export const checkLock = async (
  folder: string,
  period: string,
  paths: readonly string[],
): Promise<string | undefined> => {
  const lines = lockLinesIn(await readFile(join(folder, LOCK_PATH), 'utf8').catch(() => ''));
  if (lines) return linesProblem(folder, period, lines);
  const statement = await readLockStatement(folder);
  if (typeof statement === 'string') return statement;
  if (statement === undefined) return undefined;
  const { snapshot, digest } = statement;
  if (snapshot.label !== period) return `${LOCK_PATH} is the lock of ${snapshot.label}`;
  if (digestOf(snapshot as Json) !== digest) return `${LOCK_PATH} was changed: its digest is another`;
  const frozen = snapshot.files.map(({ path }) => path).sort();
  const stranger =
    paths.find((path) => !frozen.includes(path)) ?? frozen.find((path) => !paths.includes(path));
  if (stranger !== undefined) return `${stranger} is not among both the files and what was locked`;
  for (const { path, sha256, bytes } of snapshot.files) {
    const place = join(folder, path);
    if ((await stat(place)).size !== bytes || (await sha256OfFile(place)) !== sha256)
      return `${path} is not as it was locked`;
  }
  return undefined;
};

/** Checks that each line in the folder is of its manifest, which lists all other files, and that its signature is valid. */
const linesProblem = async (
  folder: string,
  period: string,
  lines: readonly TextLine[],
): Promise<string | undefined> => {
  const manifest = await sha256OfFile(join(folder, MANIFEST_PATH));
  const { entity } = (JSON.parse(await readFile(join(folder, MANIFEST_PATH), 'utf8')) as Manifest).content;
  for (const { line } of lines) {
    if (versionLabel(line) !== period || line.entity !== entity)
      return `${LOCK_PATH} has a line of ${line.entity} ${versionLabel(line)}`;
    if (line.manifest !== manifest) return `${MANIFEST_PATH} is not the one that was ${line.what}`;
    const signer = signerOfLine(line);
    if (typeof signer === 'string') return `the signature of ${line.by.name}: ${signer}`;
  }
  return undefined;
};
