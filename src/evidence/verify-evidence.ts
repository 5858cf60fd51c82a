import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { drawBooks } from '../books/draw-books.ts';
import { rejectsOf } from '../books/files-to-fill-in.ts';
import { parseVersion } from '../kernel/period.ts';
import { exists, filesBelow, sha256OfFile } from '../runtime/publish-folder.ts';
import { differentCell } from '../workbook/different-cell.ts';
import { KEYS_PATH } from './keys.ts';
import { LOCK_FILE, type LockLine, lockLinesIn, signerOfLine, versionLabel } from './lock-line.ts';
import { contentDigestOf, leavesOf, MANIFEST_PATH, type Manifest, type Problem } from './manifest.ts';
import { type AllowedSigners, fingerprintOf, NAMESPACE, refusedBy } from './ssh-signature.ts';
import {
  checkBytes,
  checkNames,
  checkRecords,
  firstDifference,
  type Recomputed,
  readManifest,
  recompute,
} from './verify-files.ts';

/** The sheets to compare in a folder that another build of Tieout drew, whose layout may differ. */
const RELIED_UPON: ReadonlySet<string> = new Set(['By state', 'By jurisdiction', 'Tie-out', 'Returns']);
const RELIED_UPON_TEXT = `${[...RELIED_UPON].join(', ')} and the upload files`;

/** The result of one test. `problem` says what failed. */
export type Verdict = {
  readonly test: string;
  readonly problem: Problem;
};

export type Verified = {
  readonly entity: string;
  readonly period: string;
  readonly contentDigest: string;
  /** Who signed, and how far that is proved. */
  readonly signatures: readonly Signer[];
  /** Whether the folder contains a lock. */
  readonly isLocked: boolean;
  /** The tests in order; the first that fails is the last. */
  readonly verdicts: readonly Verdict[];
  readonly holds: boolean;
};

export type VerifyOptions = {
  /** Digest of the checking program. */
  readonly build: string;
  /** The signers to accept; if given, every signature needs an accepted key. */
  readonly allowed?: AllowedSigners;
};

/**
 * Recomputes everything that the evidence of a period claims, from its folder alone: without database, network or
 * configuration. It stops at the first failure.
 */
export const verifyEvidence = async (folder: string, options: VerifyOptions): Promise<Verified> => {
  const scratch = await mkdtemp(join(tmpdir(), 'tieout-verify-'));
  try {
    return await verifyWithin(folder, options, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

/** @param scratch a folder for temporary files */
const verifyWithin = async (
  folder: string,
  { build, allowed }: VerifyOptions,
  scratch: string,
): Promise<Verified> => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') {
    const verdicts = [{ test: 'the manifest can be read', problem: manifest }];
    return {
      entity: '',
      period: '',
      contentDigest: '',
      signatures: [],
      isLocked: false,
      verdicts,
      holds: false,
    };
  }
  const refunded = new Set<string>();
  let recomputed: Recomputed | undefined;
  const checkFigures = async (): Promise<Problem> => {
    const found = await recompute(folder, manifest, join(scratch, 'detail'), refunded);
    if (typeof found === 'string') return asBuilt(found, manifest, build);
    recomputed = found;
    return undefined;
  };
  const { logs, outputs } = manifest.content;
  const checkDrawn = async (): Promise<Problem> =>
    recomputed && checkBooks(folder, manifest, recomputed, build, join(scratch, 'books'));
  const checkFiles = async (): Promise<Problem> =>
    checkFolderName(folder, manifest) ??
    (await checkNames(folder, manifest)) ??
    checkBytes(folder, [...logs, ...outputs]);
  const lines = await readLockLines(folder);
  const known = typeof lines === 'string' ? [] : lines;
  const isLocked = known.some(({ what }) => what === 'locked');
  const signatures = signersOf(known, allowed);
  const tests: readonly (readonly [string, () => Problem | Promise<Problem>])[] = [
    ['every file is there as it was written, and no other', checkFiles],
    [
      textOfLines(signatures.length > 0 || allowed !== undefined, isLocked),
      () => checkSignatures(folder, manifest, lines, allowed),
    ],
    ['the logs are complete', () => checkRecords(folder, manifest, refunded)],
    ['every figure follows from the logs', checkFigures],
    [
      manifest.content.build === build
        ? 'every book says what the logs say'
        : `every book of ${manifest.content.program}, another build, says what the logs say in ${RELIED_UPON_TEXT}`,
      checkDrawn,
    ],
    [await chainText(folder, manifest), () => checkChain(folder, manifest, isLocked)],
  ];
  const verdicts: Verdict[] = [];
  for (const [test, check] of tests) {
    const problem = await problemOf(check);
    verdicts.push({ test, problem });
    if (problem !== undefined) break;
  }
  const { entity, period } = manifest.content;
  return {
    entity,
    period: period.label,
    contentDigest: manifest.contentDigest,
    signatures,
    isLocked,
    verdicts,
    holds: verdicts.every(({ problem }) => problem === undefined),
  };
};

/** Checks that a folder that is named after a period is of that one. A copy may have any other name. */
const checkFolderName = (folder: string, { content: { period } }: Manifest): Problem => {
  const name = basename(resolve(folder));
  return parseVersion(name) === undefined || name === period.label
    ? undefined
    : `the folder is named ${name}, and its files are those of ${period.label}`;
};

/** Describes what the manifest was compared with. */
const textOfLines = (isSigned: boolean, isLocked: boolean): string => {
  const what = [isSigned && 'its signatures', isLocked && 'its lock'].filter(Boolean).join(' and ');
  return what === ''
    ? 'the manifest is intact; no one has signed it'
    : `the manifest and ${what} belong together`;
};

/** Runs a check. The folder may come from anywhere, so any error while reading it counts as a failed check. */
const problemOf = async (check: () => Problem | Promise<Problem>): Promise<Problem> => {
  try {
    return await check();
  } catch (error) {
    return `the evidence cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
};

/** Describes what the folder alone can show about the period before. */
const chainText = async (folder: string, { content: { previous } }: Manifest): Promise<string> => {
  if (!previous) return 'there is no period before';
  return (await exists(join(dirname(folder), previous.period)))
    ? 'the period before is the one that this one was built on'
    : `${previous.period}, the period before, is not beside this folder and was not compared`;
};

/** Checks, if the folder of the period before is next to this one, that it is unchanged. */
const checkChain = async (folder: string, manifest: Manifest, isLocked: boolean): Promise<Problem> => {
  const { previous } = manifest.content;
  if (!previous) return undefined;
  const before = join(dirname(folder), previous.period);
  if (!(await exists(before))) return undefined;
  const found = await readManifest(before);
  if (typeof found === 'string') return `${previous.period}: ${found}`;
  if (contentDigestOf(found.content) !== previous.contentDigest)
    return `${previous.period} is not what this period was built on: it was changed, or closed again since${isLocked ? '. The files of this period are as they were locked' : ''}`;
  return undefined;
};

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
  return allowed && refusedBy(allowed, { publicKey, name: line.by.name, namespace: NAMESPACE });
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

/** Adds to a problem that another build may compute or draw something else. */
const asBuilt = (problem: Problem, { content }: Manifest, build: string): Problem =>
  problem === undefined || content.build === build
    ? problem
    : `${problem} (made by another build of ${content.program}: check it with that one too)`;

/**
 * Checks that the books agree with the logs: draws them again from the logs, with the functions of a close, and
 * compares every file byte for byte. For a workbook that differs, it names the cell.
 *
 * @param build The build of the checking program; for a folder from another build, only the sheets that people rely on
 * are compared
 * @param place the folder to draw them into
 */
const checkBooks = async (
  folder: string,
  manifest: Manifest,
  { sums, frame, report: gathered, detail, keys }: Recomputed,
  build: string,
  place: string,
): Promise<Problem> => {
  const { content } = manifest;
  await rm(place, { recursive: true, force: true });
  await mkdir(place);
  const books = await drawBooks(place, {
    gathered,
    registrations: frame.filing,
    figures: sums.filing,
    rejects: rejectsOf(frame.rejected, sums.asides),
    detail,
    refunds: sums.refunds.links(frame.orders),
  });
  await mkdir(join(place, dirname(KEYS_PATH)), { recursive: true });
  await writeFile(join(place, KEYS_PATH), keys);
  const problem =
    firstDifference('leaves', leavesOf(books, sums.filing), content.leaves) ??
    namesProblem(content, await filesBelow(place)) ??
    (await bytesProblem(folder, place, content, content.build === build));
  return asBuilt(problem, manifest, build);
};

const namesProblem = ({ outputs }: Manifest['content'], drawn: readonly string[]): Problem => {
  const stated = new Set(outputs.map(({ path }) => path));
  const missing = drawn.find((path) => !stated.has(path));
  if (missing !== undefined) return `${missing} follows from the logs, and is missing`;
  const stranger = outputs.find(({ path }) => !drawn.includes(path));
  return stranger && `${stranger.path} does not follow from the logs`;
};

const bytesProblem = async (
  folder: string,
  place: string,
  { outputs }: Manifest['content'],
  isSameBuild: boolean,
): Promise<Problem> => {
  for (const { path } of outputs) {
    const [published, drawn] = [join(folder, path), join(place, path)];
    if ((await sha256OfFile(drawn)) === (await sha256OfFile(published))) continue;
    if (path.endsWith('.xlsx')) {
      const sheets = isSameBuild ? undefined : RELIED_UPON;
      const where = await differentCell(published, drawn, sheets).catch(() => 'which is not a workbook');
      if (where !== undefined) return `${path}, ${where}`;
    }
    if (isSameBuild || path.startsWith('upload/')) return `${path} is not what the logs give`;
  }
  return undefined;
};
