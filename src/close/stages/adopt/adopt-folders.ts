import { type Instant, parseInstant } from '../../../kernel/calendar.ts';
import { compareText } from '../../../kernel/compare-text.ts';
import { TieoutError } from '../../../kernel/errors.ts';
import { type LockStatement, readLockStatement } from '../../evidence/lock-statement.ts';
import type { Manifest, SignatureEntry } from '../../evidence/manifest.ts';
import { verifyEvidence } from '../../evidence/verify-evidence.ts';
import { readManifest } from '../../evidence/verify-files.ts';
import { keepSignature, signaturesOf } from '../../workspace/signatures.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { adoptionRefused, brokenEvidence } from './adopt-errors.ts';
import { adoptLock } from './adopt-lock.ts';

export type Adoption = {
  readonly workspace: Workspace;
  /** Returns the folder in which a period of the entity is published. */
  readonly folderOf: (period: string) => string;
  readonly who: string;
  readonly now: Instant;
  /** Digest of the program that adopts. */
  readonly build: string;
};

/** The result of adopting a folder. */
export type Adopted = {
  readonly folder: string;
  readonly period: string;
  /** Whether the folder has a lock, and whether it was new to the workspace. */
  readonly lock: 'none' | 'new' | 'held';
  /** The number of filed records in the lock. */
  readonly sales: number;
  /** The number of signatures that were new to the workspace. */
  readonly signatures: number;
};

type Evidence = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly lock: LockStatement | undefined;
};

/**
 * Take locks and signatures of published periods over into a workspace. Each is verified by its own evidence, oldest
 * period first, and all are stored in one transaction. What the workspace already has stays unchanged; if it
 * contradicts a folder, nothing is adopted. The caller must hold the run lock.
 *
 * @throws {TieoutError} E_PACK_CHANGED, E_ADOPT_REFUSED
 */
export const adoptFolders = async (
  adoption: Adoption,
  folders: readonly string[],
): Promise<readonly Adopted[]> => {
  const evidence: Evidence[] = [];
  for (const folder of folders) evidence.push(await evidenceOf(adoption, folder));
  return adoption.workspace.together(async (workspace) => {
    const within = { ...adoption, workspace };
    const adopted: Adopted[] = [];
    for (const each of evidence.sort(oldestFirst)) adopted.push(await adoptOne(within, each));
    return adopted;
  });
};

const oldestFirst = (left: Evidence, right: Evidence): number => {
  // The returns of a longer period follow the versions within it.
  const [a, b] = [left, right].map(({ manifest: { content }, lock }) =>
    [lock?.snapshot.over ? 1 : 0, content.period.first, String(lock?.version ?? 0).padStart(4, '0')].join(
      ' ',
    ),
  );
  return compareText(a ?? '', b ?? '');
};

const evidenceOf = async ({ workspace: { entity }, build }: Adoption, folder: string): Promise<Evidence> => {
  const { holds, verdicts } = await verifyEvidence(folder, { build });
  if (!holds) throw brokenEvidence(folder, verdicts.at(-1)?.problem ?? '');
  const manifest = await readManifest(folder);
  const lock = await readLockStatement(folder);
  if (typeof manifest === 'string' || typeof lock === 'string')
    throw brokenEvidence(folder, typeof manifest === 'string' ? manifest : String(lock));
  for (const other of [manifest.content.entity, lock?.entity ?? entity])
    if (other !== entity)
      throw adoptionRefused(folder, `it is of the entity ${other}, and the configuration is of ${entity}`);
  return { folder, manifest, lock };
};

const adoptOne = async (adoption: Adoption, { folder, manifest, lock }: Evidence): Promise<Adopted> => {
  const period = manifest.content.period.label;
  try {
    const signatures = await adoptSignatures(adoption.workspace, folder, period, manifest.approvals);
    const isNew = lock !== undefined && (await adoptLock(adoption, { folder, manifest, lock }));
    return {
      folder,
      period,
      lock: lock === undefined ? 'none' : isNew ? 'new' : 'held',
      sales: lock?.snapshot.sales.count ?? 0,
      signatures,
    };
  } catch (error) {
    if (error instanceof TieoutError) throw error;
    throw brokenEvidence(folder, `its books cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
};

/**
 * Adopts the signatures of a folder.
 *
 * @returns how many were new to the workspace
 */
const adoptSignatures = async (
  workspace: Workspace,
  folder: string,
  period: string,
  signatures: readonly SignatureEntry[],
): Promise<number> => {
  const known = await signaturesOf(workspace, period);
  const lacking = signatures.filter((signature) => {
    const { role, name, at, contentDigest, signature: key } = signature;
    const own = known.find((each) => each.role === role && each.contentDigest === contentDigest);
    if (own && (own.name !== name || own.at !== at || own.signature !== key))
      throw adoptionRefused(
        folder,
        `${name} signed it as ${role} on ${at}, and the workspace has ${own.name} as ${role} on ${own.at}`,
      );
    return own === undefined;
  });
  for (const { at, ...signature } of lacking)
    await keepSignature(workspace, period, { ...signature, at: instantOf(folder, at) });
  return lacking.length;
};

const instantOf = (folder: string, text: string): Instant => {
  const at = parseInstant(text);
  if (at === undefined) throw adoptionRefused(folder, `"${text}" is not a time at which somebody signed`);
  return at;
};
