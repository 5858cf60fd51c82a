import { createHash, sign, verify } from 'node:crypto';
import { KEY_TYPE, type SshKey, verifyingKey } from './ssh-key.ts';
import { unarmored, wireNumber, wireReader, wireString } from './ssh-wire.ts';

/** What signatures of Tieout are for: OpenSSH asks for the same word with `-n`. */
export const NAMESPACE = 'tieout';

const MAGIC = 'SSHSIG';
const VERSION = 1;
const ARMOR = 'SSH SIGNATURE';
/** As `ssh-keygen` breaks its lines. */
const LINE_LENGTH = 70;
const HASHES: ReadonlySet<string> = new Set(['sha256', 'sha512']);
const HASH = 'sha512';

/** Sign a text as `ssh-keygen -Y sign -n tieout` does: the same key and text give the same bytes. */
export const signText = ({ key, publicKey }: SshKey, text: string): string => {
  const signature = sign(null, signedBytes(text, HASH), key);
  const blob = Buffer.concat([
    Buffer.from(MAGIC),
    wireNumber(VERSION),
    wireString(publicKey),
    wireString(NAMESPACE),
    wireString(''),
    wireString(HASH),
    wireString(Buffer.concat([wireString(KEY_TYPE), wireString(signature)])),
  ]);
  const lines = blob.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? [];
  return [`-----BEGIN ${ARMOR}-----`, ...lines, `-----END ${ARMOR}-----`, ''].join('\n');
};

/** What is signed for a text, as PROTOCOL.sshsig of OpenSSH has it. */
const signedBytes = (text: string, hash: string): Buffer =>
  Buffer.concat([
    Buffer.from(MAGIC),
    wireString(NAMESPACE),
    wireString(''),
    wireString(hash),
    wireString(createHash(hash).update(text).digest()),
  ]);

/** The public key that signed the text, as SSH has it; or why the signature does not hold. */
export const signerOf = (armored: string, text: string): Buffer | string => {
  const bytes = unarmored(armored, ARMOR);
  if (!bytes) return 'it is not an SSH signature';
  try {
    return signerIn(bytes, text);
  } catch {
    return 'it is not an SSH signature';
  }
};

const signerIn = (bytes: Buffer, text: string): Buffer | string => {
  const blob = wireReader(bytes);
  if (blob.take(MAGIC.length).toString('latin1') !== MAGIC || blob.number() !== VERSION)
    return 'it is not an SSH signature';
  const publicKey = Buffer.from(blob.string());
  const namespace = blob.text();
  blob.string();
  const hash = blob.text();
  const signature = wireReader(blob.string());
  if (namespace !== NAMESPACE) return `it is for "${namespace}", and not for "${NAMESPACE}"`;
  if (!HASHES.has(hash)) return `it uses the digest ${hash}, which is not known`;
  const key = verifyingKey(publicKey);
  if (!key || signature.text() !== KEY_TYPE) return `it is made by another kind of key than ${KEY_TYPE}`;
  const isValid = verify(null, signedBytes(text, hash), key, signature.string());
  return isValid && blob.isAtEnd() ? publicKey : 'its key has not signed this';
};
