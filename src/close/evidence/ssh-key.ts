import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { unarmored, wireReader, wireString } from './ssh-wire.ts';

/** The one kind of key that signs here. */
export const KEY_TYPE = 'ssh-ed25519';

/** A private key, and its public key as SSH has it. */
export type SshKey = { readonly key: KeyObject; readonly publicKey: Buffer };

/** Why a file is not a key that can sign. */
export type KeyProblem = 'no-key' | 'encrypted' | 'other-type';

const MAGIC = 'openssh-key-v1\0';
const KEY_BYTES = 32;

/** RFC 8410: an Ed25519 key in its usual wrapping, up to the bytes of the key itself. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Read a private key file of OpenSSH, as its PROTOCOL.key describes it. */
export const readPrivateKey = (text: string): SshKey | KeyProblem => {
  const bytes = unarmored(text, 'OPENSSH PRIVATE KEY');
  if (!bytes) return /ENCRYPTED/.test(text) ? 'encrypted' : 'no-key';
  try {
    return keyOf(bytes);
  } catch {
    return 'no-key';
  }
};

const keyOf = (bytes: Buffer): SshKey | KeyProblem => {
  const file = wireReader(bytes);
  if (file.take(MAGIC.length).toString('latin1') !== MAGIC) return 'no-key';
  const cipher = file.text();
  file.string();
  file.string();
  if (cipher !== 'none') return 'encrypted';
  if (file.number() !== 1) return 'no-key';
  const publicKey = Buffer.from(file.string());
  const secret = wireReader(file.string());
  // The same number twice: it shows whether a passphrase was right.
  const [check, again] = [secret.number(), secret.number()];
  if (check !== again) return 'no-key';
  if (secret.text() !== KEY_TYPE) return 'other-type';
  const point = secret.string();
  const seed = secret.string().subarray(0, KEY_BYTES);
  if (!publicKey.equals(publicKeyOf(point)) || seed.length !== KEY_BYTES) return 'no-key';
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { key, publicKey };
};

const publicKeyOf = (point: Buffer): Buffer => Buffer.concat([wireString(KEY_TYPE), wireString(point)]);

/** A public key as SSH has it, ready to verify; `undefined` when it is of another kind. */
export const verifyingKey = (publicKey: Buffer): KeyObject | undefined => {
  const reader = wireReader(publicKey);
  if (reader.text() !== KEY_TYPE) return undefined;
  const point = reader.string();
  if (point.length !== KEY_BYTES || !reader.isAtEnd()) return undefined;
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, point]), format: 'der', type: 'spki' });
};

/** The fingerprint of a public key as `ssh-keygen -l` prints it. */
export const fingerprintOf = (publicKey: Buffer): string =>
  `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;
