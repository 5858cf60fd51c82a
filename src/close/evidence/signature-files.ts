import type { Manifest, ManifestContent, SignatureEntry } from './manifest.ts';

/**
 * What a person signs: a few lines that name the person, the role, the time and the content by its digest. An SSH
 * signature is over the bytes of this text.
 */
export const statementOf = (
  { entity, period }: Pick<ManifestContent, 'entity' | 'period'>,
  { role, name, at, contentDigest }: Omit<SignatureEntry, 'signature'>,
): string =>
  [
    'Tieout signature',
    `entity: ${entity}`,
    `period: ${period.label}`,
    `role: ${role}`,
    `name: ${name}`,
    `at: ${at}`,
    `content: ${contentDigest}`,
    '',
  ].join('\n');

/** The files of the signatures: what was signed, and where a key was used the signature beside it, as OpenSSH has it. */
export const signatureFiles = ({ content, approvals }: Manifest): ReadonlyMap<string, string> =>
  new Map(
    approvals.flatMap((approval): [string, string][] => {
      const path = `evidence/signed-by-${approval.role}.txt`;
      const statement: [string, string] = [path, statementOf(content, approval)];
      return approval.signature === null ? [statement] : [statement, [`${path}.sig`, approval.signature]];
    }),
  );
