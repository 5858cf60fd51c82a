import { formatInstant } from '../../../kernel/calendar.ts';
import { TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { exists } from '../../../runtime/exists.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { statementOf } from '../../evidence/signature-files.ts';
import { signerOf } from '../../evidence/ssh-signature.ts';
import { verifyEvidence } from '../../evidence/verify-evidence.ts';
import { closingOf } from '../../periods/closing.ts';
import { closedElsewhere, madeTooEarly, notClean, notClosed } from '../../periods/period-errors.ts';
import { noteEvent } from '../../workspace/period-events.ts';
import {
  keepSignature,
  type Signature,
  type SigningRole,
  signatureDigest,
  signaturesUnder,
} from '../../workspace/signatures.ts';
import { writeReport } from '../report/write-report.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { periodFolder } from '../run/period-folder.ts';

export type Signing = {
  readonly role: SigningRole;
  readonly name: string;
  /** Signs the statement with a key; without it, the signature is by name only. */
  readonly signText: ((statement: string) => string) | undefined;
  /** Why it replaces the signature in the same role; empty when it replaces none. */
  readonly replaces: string;
  /** Why the pack may be signed with open exceptions, or before the period is over; empty when it may not. */
  readonly openExceptions: string;
};
export type Signed = { readonly contentDigest: string; readonly signatures: readonly Signature[] };

/**
 * Sign the published pack of a period. The folder must be verified, and match what the workspace would write. The
 * signature covers the digest of the content. It is written into the manifest and into a file beside it.
 *
 * @throws {TieoutError} E_PERIOD_ELSEWHERE, E_PERIOD_NOT_CLOSED, E_PACK_CHANGED, E_PACK_STALE, E_PERIOD_UNFINISHED, E_PERIOD_OPEN,
 * E_SIGNED
 */
export const signPack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  signing: Signing,
): Promise<StageResult<Signed>> => {
  const folder = periodFolder(ports, period);
  await refuseElsewhere(ports, period.label, folder);
  const { holds, verdicts, contentDigest } = await verifyEvidence(folder, {
    build: ports.programDigest,
  });
  if (!holds) throw changed(folder, verdicts.at(-1)?.problem ?? '');
  const { readiness, madeEarly } = (await writeReport(ports, period, contentDigest)).value.report;
  const { role, name, signText, openExceptions } = signing;
  if (madeEarly !== undefined && openExceptions === '')
    throw madeTooEarly(period.label, madeEarly, period.last);
  if (!readiness.ready && openExceptions === '') throw notClean(period.label, readiness, 'signed');
  const present = await signaturesUnder(ports.workspace, period.label, contentDigest);
  const former = formerOf(signing, present);
  const others = present.filter((signature) => signature !== former);
  refuseSamePerson(ports, signing, others);
  const at = ports.clock.now();
  const { entity } = ports.configuration;
  const stated = statementOf({ entity, period }, { role, name, at: formatInstant(at), contentDigest });
  const signature = signText?.(stated) ?? null;
  if (signature !== null && !ports.configuration.policy.samePersonMaySign)
    refuseSameKey(
      { stated, signature },
      others.map((other) => ({ ...other, stated: statementOf({ entity, period }, other) })),
    );
  await ports.workspace.together(async (within) => {
    await keepSignature(within, period.label, { role, name, at, contentDigest, signature });
    const event = { period: period.label, at, who: name } as const;
    if (former)
      await noteEvent(within, {
        ...event,
        what: 'signature replaced',
        why: `that of ${former.name} as ${role} of ${former.at}: ${signing.replaces}`,
        digest: signatureDigest(former),
      });
    if (!readiness.ready || madeEarly !== undefined)
      await noteEvent(within, {
        ...event,
        what: readiness.ready ? 'signed before it was over' : 'signed though NOT READY',
        why: `as ${role}: ${openExceptions}`,
        digest: '',
      });
  });
  await writeReport(ports, period, contentDigest);
  const signatures = await signaturesUnder(ports.workspace, period.label, contentDigest);
  return {
    value: { contentDigest, signatures },
    summary: `${period.label} signed by ${signing.name} as ${signing.role}`,
  };
};

/** If the folder does not exist, the period was closed into another one, or never. */
const refuseElsewhere = async ({ workspace }: ClosePorts, label: string, folder: string): Promise<void> => {
  if (await exists(folder)) return;
  const closing = await closingOf(workspace, label);
  if (!closing) throw notClosed(label, 'sign');
  if (closing.folder !== folder) throw closedElsewhere(label, closing.folder, folder, 'signed');
};

const changed = (folder: string, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_PACK_CHANGED',
    message: `${folder} cannot be signed: ${problem}`,
    nextStep: 'Find out who changed it, and close the period again',
  });

/** Returns the signature to replace. A role signs once, unless a reason is given for signing again. */
const formerOf = ({ role, replaces }: Signing, signatures: readonly Signature[]): Signature | undefined => {
  const former = signatures.find((signature) => signature.role === role);
  if (former && replaces === '')
    throw refused(
      `${former.name} has signed this content as ${role} already`,
      'Let the other person sign. To sign again as the same, with a key or because the signature is wrong, add --replace and the reason',
    );
  if (!former && replaces !== '')
    throw refused(
      `no one has signed this content as ${role}, so no signature can be replaced`,
      'Sign without --replace',
    );
  return former;
};

const refuseSamePerson = (
  { configuration }: ClosePorts,
  { name }: Signing,
  signatures: readonly Signature[],
): void => {
  const other = signatures.find((signature) => sameName(signature.name, name));
  if (other && !configuration.policy.samePersonMaySign)
    throw refused(
      `${other.name} has signed this content as ${other.role}, and another person must review it`,
    );
};

/** Refuses two names with the same key: they count as one person, because anyone with the key can sign as either. */
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

const refused = (
  message: string,
  nextStep = 'Let the other person sign; `policy.samePersonMaySign` allows one person both roles',
): TieoutError => new TieoutError({ code: 'E_SIGNED', message, nextStep });
