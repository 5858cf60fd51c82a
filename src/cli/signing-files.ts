import { readFile } from 'node:fs/promises';
import {
  type AllowedSigners,
  type KeyProblem,
  readAllowedSigners,
  readPrivateKey,
  signText,
} from '../evidence/ssh-signature.ts';
import { systemReason, TieoutError } from '../kernel/errors.ts';

/** Returns a function that signs with the SSH key of a file, if one is named. @throws {TieoutError} E_SIGNING_KEY */
export const signerWith = async (
  file: string | undefined,
): Promise<((text: string) => string) | undefined> => {
  if (file === undefined) return undefined;
  const refused = refusalOf('E_SIGNING_KEY');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const step = 'Name the private key, such as ~/.ssh/id_ed25519';
    throw refused(`${file} cannot be read: ${systemReason(error)}`, step);
  });
  const key = readPrivateKey(text);
  if (typeof key !== 'string') return (statement) => signText(key, statement);
  const [what, nextStep] = PROBLEMS[key];
  throw refused(`${file} ${what}`, nextStep);
};

/** Reads the allowed signers of a file. @throws {TieoutError} E_ALLOWED_SIGNERS */
export const allowedSignersIn = async (file: string): Promise<AllowedSigners> => {
  const refused = refusalOf('E_ALLOWED_SIGNERS');
  const step = 'Each line is: principals, options if any, ssh-ed25519, the key; ssh-keygen(1) has the form';
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refused(`${file} cannot be read: ${systemReason(error)}`, step);
  });
  const read = readAllowedSigners(text);
  if ('problem' in read) throw refused(`${file}:${read.line}: ${read.problem}`, step);
  return read;
};

const refusalOf =
  (code: 'E_SIGNING_KEY' | 'E_ALLOWED_SIGNERS') =>
  (message: string, nextStep: string): TieoutError =>
    new TieoutError({ code, message, nextStep });

const PROBLEMS: Readonly<Record<KeyProblem, readonly [string, string]>> = {
  'no-key': [
    'is not a private key of OpenSSH',
    'Name the private key, not the .pub file; `ssh-keygen -t ed25519 -f FILE` makes one',
  ],
  encrypted: [
    'is locked with a passphrase, and Tieout asks for none',
    'Unlock a copy with `ssh-keygen -p -N "" -f COPY`, sign with the copy, and delete it',
  ],
  'other-type': [
    'is a key of another type than ed25519',
    'Make one with `ssh-keygen -t ed25519 -f FILE`, and add it to the allowed signers',
  ],
};
