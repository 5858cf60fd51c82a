import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { exists } from '../../../runtime/exists.ts';
import { folderDifferences, type NamedFile } from '../../../runtime/folder-differences.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { filesBelow, sha256OfFile } from '../../../runtime/publish-folder.ts';
import { MANIFEST_PATH } from '../../evidence/manifest.ts';
import { lockFilesOf } from '../../periods/archived-files.ts';
import { closingOf } from '../../periods/closing.ts';
import { lockOf } from '../../periods/lock-period.ts';
import { allLocks } from '../../workspace/locks.ts';
import { renderPack } from '../report/render-pack.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { periodFolder } from '../run/period-folder.ts';

/** A file that a period should have: with the bytes of the file `drawn`, or with this digest. */
export type WantedFile = NamedFile & { readonly drawn: string | undefined };

/** A file of a published folder that differs, and how. */
export type PackDifference = { readonly path: string; readonly what: string };

/**
 * Returns the files that a published period should have: rendered again from the workspace into an empty folder, or,
 * for a locked period, as they were locked.
 *
 * @throws {TieoutError} E_EVIDENCE_MISSING when the period was not published in its folder
 */
export const rebuildPack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  into: string,
): Promise<StageResult<readonly WantedFile[]>> => {
  await refuseUnpublished(periodFolder(ports, period));
  const lock = (await allLocks(ports.workspace)).find(
    ({ label, state }) => label === period.label && state === 'locked',
  );
  if (lock) {
    const { files } = (await lockOf(ports.workspace, lock)).snapshot;
    const left = await lockFilesOf(ports.workspace, lock.label);
    const wanted = [...files, ...left].map(({ path, sha256 }) => ({ path, sha256, drawn: undefined }));
    return { value: wanted, summary: `${files.length} files, as they were locked` };
  }
  const closing = await closingOf(ports.workspace, period.label);
  await renderPack(ports, period, into, { madeEarly: closing?.report.madeEarly });
  const wanted: WantedFile[] = [];
  for (const path of await filesBelow(into)) {
    const drawn = join(into, path);
    wanted.push({ path, sha256: await sha256OfFile(drawn), drawn });
  }
  return { value: wanted, summary: `${wanted.length} files drawn from the workspace` };
};

/** Compare the published files of a period with those it should have, in the order of their names. */
export const comparePack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  wanted: readonly WantedFile[],
): Promise<StageResult<readonly PackDifference[]>> => {
  const folder = periodFolder(ports, period);
  const drawn = new Map(wanted.map((file) => [file.path, file.drawn]));
  const differences: PackDifference[] = [];
  for await (const { path, what } of folderDifferences(folder, wanted))
    differences.push({
      path,
      what: what === 'changed' ? await differenceOf(join(folder, path), drawn.get(path)) : SAID[what],
    });
  const [first] = differences;
  return {
    value: differences,
    summary: first ? `${first.path} ${first.what}` : `${wanted.length} files are the same, byte for byte`,
  };
};

const SAID = { foreign: 'is published, and does not belong there', missing: 'is not published' } as const;

const refuseUnpublished = async (folder: string): Promise<void> => {
  const isThere = await exists(join(folder, MANIFEST_PATH));
  if (isThere) return;
  throw new TieoutError({
    code: 'E_EVIDENCE_MISSING',
    message: `${folder} holds no ${MANIFEST_PATH}`,
    nextStep: 'Close the period first, or name where it was published with --output',
  });
};

const PIECE_BYTES = 64 * 1024;

/** Returns how two files differ, with the first different byte, counted from 0. */
const differenceOf = async (published: string, drawn: string | undefined): Promise<string> => {
  if (drawn === undefined) return 'is not as it was locked';
  const [left, right] = [await open(published), await open(drawn)];
  try {
    const [a, b] = [Buffer.alloc(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)];
    for (let offset = 0; ; offset += PIECE_BYTES) {
      const { bytesRead: inLeft } = await left.read(a, 0, PIECE_BYTES, offset);
      const { bytesRead: inRight } = await right.read(b, 0, PIECE_BYTES, offset);
      const common = Math.min(inLeft, inRight);
      for (let index = 0; index < common; index += 1)
        if (a[index] !== b[index]) return `differs from byte ${offset + index} on`;
      if (inLeft !== inRight)
        return `is ${inLeft < inRight ? 'shorter' : 'longer'}, from byte ${offset + common} on`;
      if (inLeft === 0) return 'differs';
    }
  } finally {
    await left.close();
    await right.close();
  }
};
