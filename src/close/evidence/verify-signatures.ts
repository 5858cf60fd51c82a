import { type AllowedSigners, refusedBy } from './allowed-signers.ts';
import { contentDigestOf, type Manifest, type SignatureEntry } from './manifest.ts';
import { statementOf } from './signature-files.ts';
import { fingerprintOf, NAMESPACE, signerOf } from './ssh-signature.ts';
import type { Problem } from './verify-files.ts';

/** A person who signed, and how far that is proved. */
export type Signer = Pick<SignatureEntry, 'role' | 'name' | 'at'> & {
  /** Fingerprint of the key; `null` for a name without a key. */
  readonly key: string | null;
  /** Whether the key belongs to that person according to the given allowed signers. */
  readonly isAllowed: boolean;
};

/** Checks that the manifest is unchanged, that each role signed only once, and that every signature is valid. */
export const checkSignatures = (manifest: Manifest, allowed: AllowedSigners | undefined): Problem => {
  const { content, contentDigest, approvals } = manifest;
  if (contentDigestOf(content) !== contentDigest) return 'the content of the manifest was changed';
  if (allowed && approvals.length === 0) return 'no one has signed it';
  for (const approval of approvals) {
    const { role, name } = approval;
    if (approval.contentDigest !== contentDigest) return `${name} signed another content as ${role}`;
    if (approvals.some((other) => other !== approval && other.role === role))
      return `it is signed twice as ${role}`;
    const problem = signatureProblem(manifest, approval, allowed);
    if (problem !== undefined) return `the signature of ${name} as ${role}: ${problem}`;
  }
  return undefined;
};

const signatureProblem = (
  manifest: Manifest,
  approval: SignatureEntry,
  allowed: AllowedSigners | undefined,
): Problem => {
  if (approval.signature === null) return allowed && 'it is a name only, and no key has signed';
  const publicKey = publicKeyIn(manifest, approval);
  if (typeof publicKey === 'string') return publicKey;
  return allowed && refusedBy(allowed, { publicKey, ...approval, namespace: NAMESPACE });
};

const publicKeyIn = ({ content }: Manifest, approval: SignatureEntry): Buffer | string =>
  signerOf(approval.signature ?? '', statementOf(content, approval));

/** Lists who signed a manifest. */
export const signersOf = (manifest: Manifest, allowed: AllowedSigners | undefined): readonly Signer[] =>
  manifest.approvals.map((approval) => {
    const { role, name, at, signature } = approval;
    const publicKey = signature === null ? undefined : publicKeyIn(manifest, approval);
    const key = Buffer.isBuffer(publicKey) ? fingerprintOf(publicKey) : null;
    const isAllowed =
      allowed !== undefined && key !== null && signatureProblem(manifest, approval, allowed) === undefined;
    return { role, name, at, key, isAllowed };
  });
