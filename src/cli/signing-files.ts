import { readFile } from 'node:fs/promises';
import {
  type AllowedSigners,
  type KeyProblem,
  readAllowedSigners,
  readPrivateKey,
  signText,
} from '../evidence/ssh-signature.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';

/** Returns a function that signs with the SSH key of a file. @throws {TieoutError} E_SIGNING_KEY */
export const signerWith = async (file: string): Promise<(text: string) => string> => {
  const text = await textOf(file, 'E_SIGNING_KEY', 'Name the private key, such as ~/.ssh/id_ed25519');
  const key = readPrivateKey(text);
  if (typeof key === 'string') throw unusable(file, key);
  return (statement) => signText(key, statement);
};

/** Reads the allowed signers of a file. @throws {TieoutError} E_ALLOWED_SIGNERS */
export const allowedSignersIn = async (file: string): Promise<AllowedSigners> => {
  const nextStep =
    'Each line is: principals, options if any, ssh-ed25519, the key; ssh-keygen(1) has the form';
  const read = readAllowedSigners(await textOf(file, 'E_ALLOWED_SIGNERS', nextStep));
  if ('problem' in read)
    throw new TieoutError({
      code: 'E_ALLOWED_SIGNERS',
      message: `${file}:${read.line}: ${read.problem}`,
      nextStep,
    });
  return read;
};

const textOf = async (file: string, code: ErrorCode, nextStep: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const message = `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`;
    throw new TieoutError({ code, message, nextStep, cause: error });
  }
};

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

const unusable = (file: string, problem: KeyProblem): TieoutError => {
  const [what, nextStep] = PROBLEMS[problem];
  return new TieoutError({
    code: 'E_SIGNING_KEY',
    message: `${file} ${what}`,
    nextStep,
  });
};
