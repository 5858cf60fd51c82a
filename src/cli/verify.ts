import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { MANIFEST_PATH } from '../close/evidence/manifest.ts';
import { type Verified, verifyEvidence } from '../close/evidence/verify-evidence.ts';
import type { Signer } from '../close/evidence/verify-signatures.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { exists } from '../runtime/exists.ts';
import type { CommandIo } from './io.ts';
import { allowedSignersIn } from './signing-files.ts';

type Options = { readonly json?: boolean; readonly allowedSigners?: string };
type Shown = Verified & { readonly folder: string };

/** `tieout verify FOLDER`: whether the evidence of one period, or of all periods of an entity, still holds. */
export const verifyCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('verify')
    .argument('<folder>', 'the folder of a period, or of an entity with all its periods')
    .option(
      '--allowed-signers <file>',
      'whose SSH keys count, as OpenSSH has it; then every signature needs one',
    )
    .option('--json', 'one JSON object on standard output, nothing else there')
    .action(async (folder: string, { json, allowedSigners }: Options) => {
      const allowed = allowedSigners === undefined ? undefined : await allowedSignersIn(allowedSigners);
      const options = { build: await io.build(), ...(allowed && { allowed }) };
      const shown: Shown[] = [];
      for (const each of await periodFolders(folder))
        shown.push({ folder: each, ...(await verifyEvidence(each, options)) });
      const holds = shown.every((verified) => verified.holds);
      io.print(json ? `${JSON.stringify({ holds, periods: shown }, null, 2)}\n` : textOf(shown));
      exit(holds ? ExitCode.clean : ExitCode.open);
    });

/** The folder itself when it is a period's, otherwise those below it that are. */
const periodFolders = async (folder: string): Promise<readonly string[]> => {
  if (await exists(join(folder, MANIFEST_PATH))) return [folder];
  const names = await readdir(folder).catch(() => []);
  const folders: string[] = [];
  for (const name of names.sort())
    if (await exists(join(folder, name, MANIFEST_PATH))) folders.push(join(folder, name));
  if (folders.length > 0) return folders;
  throw new TieoutError({
    code: 'E_EVIDENCE_MISSING',
    recovery: 'fix-input',
    message: `${folder} holds no ${MANIFEST_PATH}, and no folder in it does`,
    nextStep: 'Name the folder of a closed period, such as output/my-shop/2026-10',
  });
};

const textOf = (shown: readonly Shown[]): string => `${shown.map(periodText).join('\n\n')}\n`;

const periodText = ({ folder, entity, period, contentDigest, verdicts, signatures, holds }: Shown): string =>
  [
    folder,
    ...verdicts.map(({ test, problem }) =>
      problem === undefined ? `  ok  ${test}` : `  !!  ${test}: ${problem}`,
    ),
    ...(holds ? signatures.map(signerText) : []),
    holds ? `${entity} ${period} holds; content ${contentDigest.slice(0, 16)}` : `${folder} does NOT hold`,
  ].join('\n');

/** What a signature is worth, in words. */
const signerText = ({ role, name, at, key, isAllowed }: Signer): string => {
  const signed = `  signed by ${name} as ${role}, ${at}`;
  if (key === null) return `${signed}: a name only, without a key`;
  return isAllowed
    ? `${signed}, with ${key}, an allowed key`
    : `${signed}, with ${key}: --allowed-signers says whose key it is`;
};
