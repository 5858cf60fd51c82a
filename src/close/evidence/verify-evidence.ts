import { basename, dirname, join, resolve } from 'node:path';
import { parseVersion } from '../../kernel/period.ts';
import { exists } from '../../runtime/publish-folder.ts';
import type { AllowedSigners } from './allowed-signers.ts';
import { contentDigestOf, type Manifest } from './manifest.ts';
import { asBuilt, checkBooks, RELIED_UPON_TEXT, type Scratch, withScratch } from './verify-books.ts';
import { checkBytes, checkNames, type Problem, readManifest } from './verify-files.ts';
import { checkRecords, type Recomputed, recompute, type WithSumming } from './verify-logs.ts';
import { checkSignatures, readLockLines, type Signer, signersOf } from './verify-signatures.ts';

/** The result of one test. `problem` says what failed. */
export type Verdict = { readonly test: string; readonly problem: Problem };

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
 *
 * @param withSumming Sums the sales of a large folder in parallel; if absent, only this thread does
 */
export const verifyEvidence = (
  folder: string,
  options: VerifyOptions,
  withSumming?: WithSumming,
): Promise<Verified> => withScratch((scratch) => verifyWithin(folder, options, { scratch, withSumming }));

type VerifyWith = { readonly scratch: Scratch; readonly withSumming: WithSumming | undefined };

const verifyWithin = async (
  folder: string,
  { build, allowed }: VerifyOptions,
  { scratch, withSumming }: VerifyWith,
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
  let recomputed: Recomputed | undefined;
  const checkFigures = async (): Promise<Problem> => {
    const found = await recompute(folder, manifest, { detail: scratch.detail, withSumming });
    if (typeof found === 'string') return asBuilt(found, manifest, build);
    recomputed = found;
    return undefined;
  };
  const { logs, outputs } = manifest.content;
  const checkDrawn = async (): Promise<Problem> =>
    recomputed && checkBooks(folder, manifest, recomputed, { build, scratch });
  /** Names the difference if a digest alone has shown that there is one. */
  const located = async (problem: Problem): Promise<Problem> => {
    if (problem === undefined) return undefined;
    const where = await problemOf(async () => (await checkFigures()) ?? checkDrawn());
    return where === undefined ? problem : `${problem}; by the logs: ${where}`;
  };
  const checkFiles = async (): Promise<Problem> =>
    checkFolderName(folder, manifest) ??
    (await checkNames(folder, manifest)) ??
    located((await checkBytes(folder, logs)) ?? (await checkBytes(folder, outputs)));
  const lines = await readLockLines(folder);
  const known = typeof lines === 'string' ? [] : lines;
  const isLocked = known.some(({ what }) => what === 'locked');
  const signatures = signersOf(known, allowed);
  const tests: readonly (readonly [string, () => Problem | Promise<Problem>])[] = [
    ['every file is there as it was written, and no other', checkFiles],
    [
      textOfLines(signatures.length > 0 || allowed !== undefined, isLocked),
      async () => located(await checkSignatures(folder, manifest, lines, allowed)),
    ],
    ['the logs are complete', () => checkRecords(folder, manifest)],
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
  const what = [...(isSigned ? ['its signatures'] : []), ...(isLocked ? ['its lock'] : [])].join(' and ');
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
