import { formatInstant } from '../../../kernel/calendar.ts';
import { TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { statementOf } from '../../evidence/signature-files.ts';
import { signerOf } from '../../evidence/ssh-signature.ts';
import { verifyEvidence } from '../../evidence/verify-evidence.ts';
import {
  keepSignature,
  type Signature,
  type SigningRole,
  signaturesUnder,
} from '../../workspace/signatures.ts';
import type { ClosePorts } from '../close-ports.ts';
import { periodFolder } from '../period-folder.ts';
import { writeReport } from '../publish/write-report.ts';

export type Signing = {
  readonly role: SigningRole;
  readonly name: string;
  /** Signs what is stated with a key; without it the signature is a name only. */
  readonly signText: ((statement: string) => string) | undefined;
};
export type Signed = { readonly contentDigest: string; readonly signatures: readonly Signature[] };

/**
 * Sign what is published of a period. The folder must hold, and must be what the workspace says; the signature stands
 * under the digest of its content, in the manifest and in a file beside it.
 *
 * @throws {TieoutError} E_PACK_CHANGED, E_PACK_STALE, E_SIGNED
 */
export const signPack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  signing: Signing,
): Promise<StageResult<Signed>> => {
  const folder = periodFolder(ports, period);
  const { holds, verdicts, contentDigest } = await verifyEvidence(folder, {
    build: ports.programDigest,
  });
  if (!holds) throw changed(folder, verdicts.at(-1)?.problem ?? '');
  await writeReport(ports, period, contentDigest);
  const others = await signaturesUnder(ports.workspace, period.label, contentDigest);
  refuseSecond(ports, signing, others);
  const { role, name, signText } = signing;
  const at = ports.clock.now();
  const { entity } = ports.configuration;
  const stated = statementOf({ entity, period }, { role, name, at: formatInstant(at), contentDigest });
  const signature = signText?.(stated) ?? null;
  if (signature !== null && !ports.configuration.policy.samePersonMaySign)
    refuseSameKey(
      { stated, signature },
      others.map((other) => ({ ...other, stated: statementOf({ entity, period }, other) })),
    );
  await keepSignature(ports.workspace, period.label, { role, name, at, contentDigest, signature });
  await writeReport(ports, period, contentDigest);
  const signatures = await signaturesUnder(ports.workspace, period.label, contentDigest);
  return {
    value: { contentDigest, signatures },
    summary: `${period.label} signed by ${signing.name} as ${signing.role}`,
  };
};

const changed = (folder: string, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_PACK_CHANGED',
    recovery: 'fix-input',
    message: `${folder} cannot be signed: ${problem}`,
    nextStep: 'Find out who changed it, and close the period again',
  });

const refuseSecond = (
  { configuration }: ClosePorts,
  { role, name }: Signing,
  signatures: readonly Signature[],
): void => {
  const mine = signatures.find((signature) => signature.role === role);
  if (mine) throw refused(`${mine.name} has signed this content as ${role} already`);
  const other = signatures.find((signature) => sameName(signature.name, name));
  if (other && !configuration.policy.samePersonMaySign)
    throw refused(
      `${other.name} has signed this content as ${other.role}, and another person must review it`,
    );
};

/** Two names over one key are one person: whoever has it can sign as either. */
const refuseSameKey = (
  { stated, signature }: { readonly stated: string; readonly signature: string },
  others: readonly (Signature & { readonly stated: string })[],
): void => {
  const mine = signerOf(signature, stated);
  const same = others.find((other) => {
    const theirs = other.signature === null ? 'none' : signerOf(other.signature, other.stated);
    return typeof theirs !== 'string' && typeof mine !== 'string' && theirs.equals(mine);
  });
  if (same) throw refused(`${same.name} has signed this content as ${same.role} with the same key`);
};

const sameName = (left: string, right: string): boolean =>
  left.trim().toLowerCase() === right.trim().toLowerCase();

const refused = (message: string): TieoutError =>
  new TieoutError({
    code: 'E_SIGNED',
    recovery: 'usage',
    message,
    nextStep: 'Let the other person sign; `policy.samePersonMaySign` allows one person both roles',
  });
