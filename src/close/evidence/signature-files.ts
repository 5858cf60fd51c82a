import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { MANIFEST_PATH, type Manifest, type ManifestContent, type SignatureEntry } from './manifest.ts';

/**
 * Builds the text that a person signs: a few lines with the person, the role, the time and the digest of the content.
 * An SSH signature covers the bytes of this text.
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

/** Builds the signature files: the signed text and, if a key was used, the signature in OpenSSH format next to it. */
export const signatureFiles = ({ content, approvals }: Manifest): ReadonlyMap<string, string> =>
  new Map(
    approvals.flatMap((approval): [string, string][] => {
      const path = `evidence/signed-by-${approval.role}.txt`;
      const statement: [string, string] = [path, statementOf(content, approval)];
      return approval.signature === null ? [statement] : [statement, [`${path}.sig`, approval.signature]];
    }),
  );

/** A signature as stored in a published folder. */
const CarriedSignature = z.looseObject({
  role: z.string(),
  name: z.string(),
  at: z.string(),
  contentDigest: z.string(),
  /** The signature of the key; `null` if a person signed by name only. */
  signature: z.string().nullable().default(null),
});
export type CarriedSignature = z.output<typeof CarriedSignature>;

const Signed = z.looseObject({ approvals: z.array(CarriedSignature) });

/**
 * Reads the signatures in a folder, leniently, so that a manifest of another version or with a damaged figure still
 * shows them; empty if the manifest cannot be read.
 */
export const readSignatures = async (folder: string): Promise<readonly CarriedSignature[]> => {
  try {
    const text = await readFile(join(folder, MANIFEST_PATH), 'utf8');
    return Signed.parse(JSON.parse(text)).approvals;
  } catch {
    return [];
  }
};
