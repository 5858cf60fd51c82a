import { Command } from 'commander';
import { type Verified, verifyEvidence } from '../close/evidence/verify-evidence.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import type { CommandIo } from './io.ts';
import { periodFolders } from './period-folders.ts';

type Options = { readonly json?: boolean };
type Shown = Verified & { readonly folder: string };

/** `tieout verify FOLDER`: whether the evidence of one period, or of all periods of an entity, still holds. */
export const verifyCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('verify')
    .argument('<folder>', 'the folder of a period, or of an entity with all its periods')
    .option('--json', 'one JSON object on standard output, nothing else there')
    .action(async (folder: string, { json }: Options) => {
      const shown: Shown[] = [];
      for (const each of await periodFolders(folder))
        shown.push({ folder: each, ...(await verifyEvidence(each)) });
      const holds = shown.every((verified) => verified.holds);
      io.print(json ? `${JSON.stringify({ holds, periods: shown }, null, 2)}\n` : textOf(shown));
      exit(holds ? ExitCode.clean : ExitCode.open);
    });

const textOf = (shown: readonly Shown[]): string => `${shown.map(periodText).join('\n\n')}\n`;

const periodText = ({ folder, entity, period, contentDigest, verdicts, holds }: Shown): string =>
  [
    folder,
    ...verdicts.map(({ test, problem }) =>
      problem === undefined ? `  ok  ${test}` : `  !!  ${test}: ${problem}`,
    ),
    holds ? `${entity} ${period} holds; content ${contentDigest.slice(0, 16)}` : `${folder} does NOT hold`,
  ].join('\n');
