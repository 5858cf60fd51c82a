import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Encodes strings and numbers for SSH: a string is its length in four bytes, then its bytes (RFC 4251, section 5). */

export const wireString = (value: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const wireNumber = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Reads one value after another. @throws {RangeError} at the end */
const wireReader = (bytes: Buffer) => {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('it ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = (): number => take(4).readUInt32BE();
  const string = (): Buffer => take(number());
  return { take, number, string, text: () => string().toString('utf8'), isAtEnd: () => at === bytes.length };
};

/** Returns the bytes between the BEGIN and END lines of this kind; none if the lines are missing. */
const unarmored = (text: string, kind: string): Buffer => {
  const form = new RegExp(`^-----BEGIN ${kind}-----\\s([A-Za-z0-9+/\\s]*=?=?)\\s*-----END ${kind}-----\\s*$`);
  return Buffer.from(form.exec(text.replaceAll('\r', ''))?.[1] ?? '', 'base64');
};

/** The only type of key that can sign here. */
export const KEY_TYPE = 'ssh-ed25519';

/** A private key, and its public key in SSH format. */
type SshKey = {
  readonly key: KeyObject;
  readonly publicKey: Buffer;
};

const KEY_MAGIC = 'openssh-key-v1\0';
const KEY_BYTES = 32;

/** RFC 8410: the usual prefix of an Ed25519 key, up to the bytes of the key itself. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Parses an OpenSSH private key file, as described in PROTOCOL.key; `undefined` for one that cannot sign. */
export const readPrivateKey = (text: string): SshKey | undefined => {
  try {
    return keyOf(unarmored(text, 'OPENSSH PRIVATE KEY'));
  } catch {
    return undefined;
  }
};

const keyOf = (bytes: Buffer): SshKey | undefined => {
  const file = wireReader(bytes);
  if (file.take(KEY_MAGIC.length).toString('latin1') !== KEY_MAGIC) return undefined;
  const cipher = file.text();
  file.string();
  file.string();
  if (cipher !== 'none' || file.number() !== 1) return undefined;
  const publicKey = Buffer.from(file.string());
  const secret = wireReader(file.string());
  // The same number appears twice; a wrong passphrase would make the two differ.
  const check = secret.number();
  const again = secret.number();
  if (check !== again || secret.text() !== KEY_TYPE) return undefined;
  const point = secret.string();
  const seed = secret.string().subarray(0, KEY_BYTES);
  if (!publicKey.equals(publicKeyOf(point)) || seed.length !== KEY_BYTES) return undefined;
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { key, publicKey };
};

const publicKeyOf = (point: Buffer): Buffer => Buffer.concat([wireString(KEY_TYPE), wireString(point)]);

/** Converts a public key in SSH format for verification; `undefined` for another type of key. */
const verifyingKey = (publicKey: Buffer): KeyObject | undefined => {
  const reader = wireReader(publicKey);
  if (reader.text() !== KEY_TYPE) return undefined;
  const point = reader.string();
  if (point.length !== KEY_BYTES || !reader.isAtEnd()) return undefined;
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, point]), format: 'der', type: 'spki' });
};

/** Returns the fingerprint of a public key as `ssh-keygen -l` prints it. */
export const fingerprintOf = (publicKey: Buffer): string =>
  `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;

/** The purpose of Tieout's signatures; OpenSSH expects the same word with `-n`. */
export const NAMESPACE = 'tieout';

const MAGIC = 'SSHSIG';
const VERSION = 1;
const ARMOR = 'SSH SIGNATURE';
/** Line length of `ssh-keygen`. */
const LINE_LENGTH = 70;
const HASHES: ReadonlySet<string> = new Set(['sha256', 'sha512']);
const HASH = 'sha512';

/** Signs a text as `ssh-keygen -Y sign -n tieout` does: the same key and text produce the same bytes. */
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

/** Builds the bytes that are signed for a text, as described in OpenSSH's PROTOCOL.sshsig. */
const signedBytes = (text: string, hash: string): Buffer =>
  Buffer.concat([
    Buffer.from(MAGIC),
    wireString(NAMESPACE),
    wireString(''),
    wireString(hash),
    wireString(createHash(hash).update(text).digest()),
  ]);

/** Returns the public key, in SSH format, that signed the text, or why the signature is not valid. */
export const signerOf = (armored: string, text: string): Buffer | string => {
  try {
    return signerIn(unarmored(armored, ARMOR), text);
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

/** A line of an OpenSSH allowed_signers file: who may sign with which key, and for what. */
export type AllowedSigner = {
  readonly principals: readonly string[];
  /** Any where it names none. */
  readonly namespaces: readonly string[] | undefined;
  readonly publicKey: Uint8Array;
};
export type AllowedSigners = readonly AllowedSigner[];

/** The problem with a line. */
export type AllowedProblem = {
  readonly line: number;
  readonly problem: string;
};

/**
 * Parses an allowed_signers file, as described in ssh-keygen(1) under ALLOWED SIGNERS. Names are taken letter for letter;
 * patterns, times and authorities are refused, and with them a signer whom OpenSSH would not accept.
 */
export const readAllowedSigners = (text: string): AllowedSigners | AllowedProblem => {
  const signers: AllowedSigner[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [principals, ...rest] = line.trim().split(/\s+/);
    if (principals === undefined || principals === '' || principals.startsWith('#')) continue;
    const read = signerOnLine(principals, rest);
    if (typeof read === 'string') return { line: index + 1, problem: read };
    signers.push(read);
  }
  return signers;
};

const KEY_TYPES = /^(ssh-|ecdsa-|sk-)/;
const NAMESPACES = /^namespaces="([^"*?!]*)"$/i;

const signerOnLine = (principals: string, rest: readonly string[]): AllowedSigner | string => {
  const [option = '', ...others] = rest;
  const hasOptions = !KEY_TYPES.test(option);
  const [type = '', key = ''] = hasOptions ? others : rest;
  if (!KEY_TYPES.test(type) || !/^[A-Za-z0-9+/]+=*$/.test(key)) return 'it names no key';
  if (/[*?!"]/.test(principals)) return `${principals} is a pattern: write each name`;
  const namespaces = NAMESPACES.exec(option)?.[1];
  if (hasOptions && namespaces === undefined) return `its option ${option} is not supported`;
  return {
    principals: principals.split(','),
    namespaces: namespaces?.split(','),
    publicKey: Buffer.from(key, 'base64'),
  };
};

/** Returns why this key may not sign with this name; `undefined` if it may. */
export const refusedBy = (
  signers: AllowedSigners,
  signed: {
    readonly publicKey: Buffer;
    readonly name: string;
    readonly namespace: string;
  },
): string | undefined => {
  const own = signers.filter(({ publicKey }) => signed.publicKey.equals(publicKey));
  if (own.length === 0) return 'its key is not among the allowed signers';
  const named = own.filter(({ principals }) => principals.includes(signed.name));
  if (named.length === 0) return `its key is not that of ${signed.name} among the allowed signers`;
  return named.some(({ namespaces }) => namespaces?.includes(signed.namespace) ?? true)
    ? undefined
    : `its key is not allowed to sign for ${signed.namespace}`;
};
