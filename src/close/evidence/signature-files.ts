import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { MANIFEST_PATH, type Manifest, type ManifestContent, type SignatureEntry } from './manifest.ts';

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

/** A signature as a published folder carries it. */
const CarriedSignature = z.looseObject({
  role: z.string(),
  name: z.string(),
  at: z.string(),
  contentDigest: z.string(),
  /** Of the key that signed; `null` where the signature is a name only. */
  signature: z.string().nullable().default(null),
});
export type CarriedSignature = z.output<typeof CarriedSignature>;

const Signed = z.looseObject({ approvals: z.array(CarriedSignature) });

/**
 * The signatures that a folder carries, read so that a manifest of another version or with a damaged figure still
 * shows them; none where there is no manifest that can be read.
 */
export const readSignatures = async (folder: string): Promise<readonly CarriedSignature[]> => {
  try {
    const text = await readFile(join(folder, MANIFEST_PATH), 'utf8');
    return Signed.parse(JSON.parse(text)).approvals;
  } catch {
    return [];
  }
};
