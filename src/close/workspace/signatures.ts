import { formatInstant, type Instant } from '../../kernel/calendar.ts';
import { digestOf } from '../../kernel/digest.ts';
import { put, rowsIn } from './queries.ts';
import type { SignatureRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

export type SigningRole = 'preparer' | 'reviewer';

/** A signature as it is stored: who signed, in which role, when, and which content. */
export type Signature = {
  readonly role: SigningRole;
  readonly name: string;
  readonly at: string;
  readonly contentDigest: string;
  /** The signature of a key in OpenSSH format; `null` for a signature by name only. */
  readonly signature: string | null;
};

/** Returns the signatures of one content of a period. Those of other contents do not count. */
export const signaturesUnder = async (
  workspace: Workspace,
  period: string,
  contentDigest: string,
): Promise<readonly Signature[]> =>
  (await signaturesOf(workspace, period)).filter((signature) => signature.contentDigest === contentDigest);

/** Returns all signatures of a period, for any of its contents. */
export const signaturesOf = async (workspace: Workspace, period: string): Promise<readonly Signature[]> => {
  const rows = await rowsIn(workspace, 'approval')
    .selectAll()
    .where('period', '=', period)
    .orderBy('content_digest')
    .orderBy('role')
    .execute();
  return rows.map(signatureOf);
};

const signatureOf = ({ role, name, at, content_digest, signature }: SignatureRow): Signature => ({
  role: role as SigningRole,
  name,
  at: formatInstant(at as Instant),
  contentDigest: content_digest,
  signature: signature === '' ? null : signature,
});

/** Returns the digest by which a signature is still known after another one has replaced it. */
export const signatureDigest = ({
  role,
  name,
  at,
  contentDigest,
  signature,
}: Omit<Signature, 'role'> & { readonly role: string }): string =>
  digestOf({ role, name, at, contentDigest, signature });

/** Store a signature. Each role signs a content once: a later signature replaces the earlier one. */
export const keepSignature = (
  workspace: Workspace,
  period: string,
  { contentDigest, signature, ...by }: Omit<Signature, 'at'> & { readonly at: Instant },
): Promise<void> =>
  put(workspace, 'approval', [{ ...by, period, content_digest: contentDigest, signature: signature ?? '' }]);
