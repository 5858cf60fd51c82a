import { Command, Option } from 'commander';
import { addLocks } from '../core/lock.ts';
import { type LockLine, versionLabel } from '../evidence/lock-line.ts';
import { SIGNABLE_NAME } from '../evidence/manifest.ts';
import { runningPeriod } from '../periods/period-folder.ts';
import type { CommandIo } from './io.ts';
import { type SignerOptions, withPorts, withSigner } from './lock.ts';
import { periodOf, usageError } from './options.ts';
import { printAnswer } from './print.ts';
import { signerWith } from './signing-files.ts';

type SignOptions = SignerOptions & { readonly as: string; readonly role: string };

/**
 * Builds `tieout sign 2026-10 --as NAME --role reviewer --key FILE`: signs everything that a closed period published. A later
 * signature in a role takes the place of the one before it; both are remembered.
 */
export const signCommand = (io: CommandIo): Command =>
  withSigner(new Command('sign'))
    .requiredOption('--as <name>', 'who signs')
    .addOption(
      new Option('--role <role>', 'in which role').choices(['preparer', 'reviewer']).makeOptionMandatory(),
    )
    .action(async (text: string, options: SignOptions) => {
      const { key, role, openExceptions = '' } = options;
      const period = periodOf(text);
      const name = options.as.trim();
      if (!SIGNABLE_NAME.test(name))
        throw usageError(
          'a signature needs a name of one line',
          'Write for example `tieout sign 2026-10 --as "Dana Reyes" --role preparer`.',
        );
      const signText = await signerWith(key);
      const wish = { label: period.label, what: 'signed', name, role, signText, openExceptions } as const;
      const { line, early } = await withPorts(io, options, async (ports) => {
        const running = runningPeriod(ports, period);
        if (running !== undefined && openExceptions !== '') io.warn(`${running}\n`);
        const [added] = await addLocks(ports, wish);
        return { line: added as LockLine, early: running };
      });
      const { by, ...about } = line;
      const label = versionLabel(line);
      const object = { ...about, period: label, preliminary: early !== undefined, ...by };
      const proof = key === undefined ? '; by name only: `--key` adds the proof of an SSH key' : '';
      const said = `${label} signed by ${by.name} as ${role}, manifest ${line.manifest.slice(0, 16)}${proof}\n`;
      printAnswer(io, options.json, object, said);
    });
