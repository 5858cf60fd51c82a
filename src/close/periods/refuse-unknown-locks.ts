import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatInstant } from '../../kernel/calendar.ts';
import { TieoutError } from '../../kernel/errors.ts';
import { LOCK_PATH, type LockStatement, readLockStatement } from '../evidence/lock-statement.ts';
import { type CarriedSignature, readSignatures } from '../evidence/signature-files.ts';
import { eventsOf } from '../workspace/period-events.ts';
import { signatureDigest, signaturesOf } from '../workspace/signatures.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Refuse to work when a published folder of the entity contains a lock or a signature that the workspace never had.
 * Then the workspace is lost, older than the folder, or somebody else's, and what it writes or sends would replace what
 * is filed. A lock that was removed since counts as known, because its event is kept.
 *
 * @param published the folder that contains the folders of the entity's periods
 * @throws {TieoutError} E_LOCK_UNKNOWN
 */
export const refuseUnknownLocks = async (workspace: Workspace, published: string): Promise<void> => {
  for (const name of (await namesIn(published)).sort()) {
    const folder = join(published, name);
    const lock = await readLockStatement(folder);
    const found =
      typeof lock === 'string'
        ? lock
        : ((lock && (await unknownLock(workspace, lock))) ??
          (await unknownSignature(workspace, folder, name)));
    if (found !== undefined) throw unknown(workspace, folder, name, found);
  }
};

const namesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  // A hidden folder of a period is one that a run has not finished.
  return entries.filter(({ name }) => !name.startsWith('.')).map(({ name }) => name);
};

/** Returns whether the workspace has ever set this lock, with this content, at that instant. */
export const holdsLock = async (
  workspace: Workspace,
  { snapshot, digest, at }: LockStatement,
): Promise<boolean> =>
  (await eventsOf(workspace)).some(
    (event) =>
      event.period === snapshot.label &&
      event.what === 'locked' &&
      event.digest === digest &&
      formatInstant(event.at) === at,
  );

const unknownLock = async (workspace: Workspace, lock: LockStatement): Promise<string | undefined> => {
  if (lock.entity === workspace.entity && (await holdsLock(workspace, lock))) return undefined;
  const by = lock.who === '' ? '' : ` by ${lock.who}`;
  return `a lock of ${lock.entity} ${lock.snapshot.label} that was set${by} on ${minute(lock.at)}, digest ${lock.digest.slice(0, 12)}`;
};

const unknownSignature = async (
  workspace: Workspace,
  folder: string,
  period: string,
): Promise<string | undefined> => {
  const carried = await readSignatures(folder);
  if (carried.length === 0) return undefined;
  const known = await signaturesOf(workspace, period);
  const replaced = new Set(
    (await eventsOf(workspace)).flatMap(({ what, digest }) =>
      what === 'signature replaced' ? [digest] : [],
    ),
  );
  const missing = carried.filter(
    (signature) =>
      !known.some((each) => isSame(each, signature)) && !replaced.has(signatureDigest(signature)),
  );
  if (missing.length === 0) return undefined;
  return missing
    .map(({ name, role, at }) => `the signature of ${name} as ${role} of ${minute(at)}`)
    .join(' and ');
};

const isSame = (left: CarriedSignature, right: CarriedSignature): boolean =>
  left.role === right.role &&
  left.name === right.name &&
  left.at === right.at &&
  left.contentDigest === right.contentDigest &&
  left.signature === right.signature;

const minute = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

const unknown = (workspace: Workspace, folder: string, period: string, found: string): TieoutError =>
  new TieoutError({
    code: 'E_LOCK_UNKNOWN',
    message: found.startsWith(LOCK_PATH)
      ? `${folder} carries a lock of ${period} that cannot be read: ${found}`
      : `${folder} carries ${found}; the workspace ${workspace.database.place} does not hold that. Nothing was sent, and no file was changed`,
    nextStep: `Put back the workspace that locked or signed it: \`tieout restore BACKUP --set-back ${workspace.database.place}\``,
  });
