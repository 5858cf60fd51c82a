import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { programDigest } from '../app/program.ts';
import { MANIFEST_PATH } from '../evidence/manifest.ts';
import { type AllowedSigners, readAllowedSigners } from '../evidence/ssh-signature.ts';
import { type Signer, type Verified, verifyEvidence } from '../evidence/verify-evidence.ts';
import { ExitCode, systemReason, TieoutError } from '../kernel/errors.ts';
import { parseVersion } from '../kernel/period.ts';
import { holdMemory } from '../runtime/hold-memory.ts';
import { exists } from '../runtime/publish-folder.ts';
import type { CommandIo } from './io.ts';
import { printAnswer } from './print.ts';

type Options = { readonly json?: boolean; readonly allowedSigners?: string };
type Shown = Verified & { readonly folder: string };

/** Builds `tieout verify FOLDER`: checks the evidence of one period, or of all periods of an entity. */
export const verifyCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('verify')
    .argument('<folder>', 'the folder of a period, or of an entity with all its periods')
    .option(
      '--allowed-signers <file>',
      'whose SSH keys count, as OpenSSH has it; then every signature needs one',
    )
    .option('--json', 'print a single JSON object to stdout')
    .action(async (folder: string, { json, allowedSigners }: Options) => {
      const allowed = allowedSigners === undefined ? undefined : await allowedSignersIn(allowedSigners);
      const options = { build: programDigest(), ...(allowed && { allowed }) };
      const folders = await periodFolders(folder, 'without a manifest');
      holdMemory();
      const checked: Verified[] = [];
      for (const each of folders) checked.push(await verifyEvidence(each, options));
      const verified = ofOneEntity(checked);
      const shown = verified.map((each, index): Shown => ({ folder: folders[index] ?? '', ...each }));
      const holds = shown.every((verified) => verified.holds);
      printAnswer(io, json, { holds, periods: shown }, textOf(shown));
      exit(holds ? ExitCode.clean : ExitCode.open);
    });

/** Reads the allowed signers of a file. @throws {TieoutError} E_ALLOWED_SIGNERS */
const allowedSignersIn = async (file: string): Promise<AllowedSigners> => {
  const refused = (message: string): TieoutError =>
    new TieoutError({
      code: 'E_ALLOWED_SIGNERS',
      message,
      nextStep: 'Each line is: principals, options if any, ssh-ed25519, the key; ssh-keygen(1) has the form',
    });
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refused(`${file} cannot be read: ${systemReason(error)}`);
  });
  const read = readAllowedSigners(text);
  if ('problem' in read) throw refused(`${file}:${read.line}: ${read.problem}`);
  return read;
};

/** Fails every period that is of another entity than the first: the periods in a folder belong to one. */
const ofOneEntity = (verified: readonly Verified[]): readonly Verified[] => {
  const first = verified.find(({ holds }) => holds);
  return verified.map((each) => {
    if (!first || !each.holds || each.entity === first.entity) return each;
    const problem = `it is of ${each.entity}, and ${first.period} beside it is of ${first.entity}`;
    const verdicts = [...each.verdicts, { test: 'all periods are of one entity', problem }];
    return { ...each, verdicts, holds: false };
  });
};

const textOf = (shown: readonly Shown[]): string => `${shown.map(periodText).join('\n\n')}\n\n${NOT_READ}\n`;

const NOT_READ =
  'The exports themselves are not checked here: compare their SHA-256 with the manifest (docs/auditors.md)';

const periodText = ({ folder, verdicts, signatures, holds, ...about }: Shown): string => {
  const { entity, period, contentDigest, isLocked } = about;
  const lacks = [...(signatures.length === 0 ? ['not signed'] : []), ...(isLocked ? [] : ['not locked'])];
  const held = [`${entity} ${period} holds`, lacks.join(', '), `content ${contentDigest.slice(0, 16)}`];
  return [
    resolve(folder),
    ...verdicts.map(({ test, problem }) =>
      problem === undefined ? `  ok  ${test}` : `  !!  not so: ${test}\n      ${problem}`,
    ),
    ...(holds
      ? [...signatures.map(signerText), held.filter(Boolean).join('; ')]
      : [
          `${resolve(folder)} does NOT hold. Next: compare it with an unchanged copy, from a backup or from the person who handed it over, or close the period again (docs/auditors.md)`,
        ]),
  ].join('\n');
};

/** Describes how well a signature is proved. */
const signerText = ({ role, name, at, key, isAllowed }: Signer): string => {
  const signed = `  signed by ${name} as ${role}, ${at}`;
  if (key === null) return `${signed}: a name only, without a key`;
  return isAllowed
    ? `${signed}, with ${key}, an allowed key`
    : `${signed}, with ${key}: --allowed-signers says whose key it is`;
};

/**
 * Returns the folder itself if it belongs to a period, otherwise the period folders below it.
 *
 * @param also whether folders count that are named after a period and have no manifest: a check must not pass over them
 * @throws {TieoutError} E_EVIDENCE_MISSING
 */
export const periodFolders = async (
  folder: string,
  also?: 'without a manifest',
): Promise<readonly string[]> => {
  if (await exists(join(folder, MANIFEST_PATH))) return [folder];
  const isThere = await exists(folder);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  const folders: string[] = [];
  for (const name of names.sort())
    if ((also && parseVersion(name)) || (await exists(join(folder, name, MANIFEST_PATH))))
      folders.push(join(folder, name));
  if (folders.length > 0) return folders;
  throw new TieoutError({
    code: 'E_EVIDENCE_MISSING',
    message: isThere
      ? `${folder} holds no ${MANIFEST_PATH}, and no folder in it does`
      : `${folder}: there is no such folder`,
    nextStep: 'Name the folder of a closed period, such as output/my-shop/2026-10',
  });
};
