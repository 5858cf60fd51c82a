import { TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
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

export type Signing = { readonly role: SigningRole; readonly name: string };
export type Signed = { readonly contentDigest: string; readonly signatures: readonly Signature[] };

/**
 * Sign what is published of a period. The folder must hold, and must be what the workspace says; the signature stands
 * under the digest of its content and shows in both workbooks.
 *
 * @throws {TieoutError} E_PACK_CHANGED, E_PACK_STALE, E_SIGNED
 */
export const signPack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  signing: Signing,
): Promise<StageResult<Signed>> => {
  const folder = periodFolder(ports, period);
  const { holds, verdicts, contentDigest } = await verifyEvidence(folder);
  if (!holds) throw changed(folder, verdicts.at(-1)?.problem ?? '');
  await writeReport(ports, period, contentDigest);
  refuseSecond(ports, signing, await signaturesUnder(ports.workspace, period.label, contentDigest));
  await keepSignature(ports.workspace, period.label, { ...signing, contentDigest, at: ports.clock.now() });
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

const sameName = (left: string, right: string): boolean =>
  left.trim().toLowerCase() === right.trim().toLowerCase();

const refused = (message: string): TieoutError =>
  new TieoutError({
    code: 'E_SIGNED',
    recovery: 'usage',
    message,
    nextStep: 'Let the other person sign; `policy.samePersonMaySign` allows one person both roles',
  });
