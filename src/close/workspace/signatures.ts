import { formatInstant, type Instant } from '../../kernel/calendar.ts';
import { digestOf } from '../../kernel/digest.ts';
import { put, rowsIn } from './queries.ts';
import type { SignatureRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

export type SigningRole = 'preparer' | 'reviewer';

/** A signature as it is kept: whose, in which role, when, and under what. */
export type Signature = {
  readonly role: SigningRole;
  readonly name: string;
  readonly at: string;
  readonly contentDigest: string;
  /** Of the key that signed, as OpenSSH has it; `null` where the signature is a name only. */
  readonly signature: string | null;
};

/** The signatures under one content of a period; those under another content of it do not count. */
export const signaturesUnder = async (
  workspace: Workspace,
  period: string,
  contentDigest: string,
): Promise<readonly Signature[]> =>
  (await signaturesOf(workspace, period)).filter((signature) => signature.contentDigest === contentDigest);

/** All signatures of a period, whatever the content they stand under. */
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

/** What names a signature for ever, when another one has taken its place. */
export const signatureDigest = ({
  role,
  name,
  at,
  contentDigest,
  signature,
}: Omit<Signature, 'role'> & { readonly role: string }): string =>
  digestOf({ role, name, at, contentDigest, signature });

/** Keep a signature. One role signs one content once: another one takes its place. */
export const keepSignature = (
  workspace: Workspace,
  period: string,
  { contentDigest, signature, ...by }: Omit<Signature, 'at'> & { readonly at: Instant },
): Promise<void> =>
  put(workspace, 'approval', [{ ...by, period, content_digest: contentDigest, signature: signature ?? '' }]);
