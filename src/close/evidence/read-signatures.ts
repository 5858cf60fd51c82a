import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { MANIFEST_PATH } from './manifest.ts';

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
