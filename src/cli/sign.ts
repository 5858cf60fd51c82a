import { Command, Option } from 'commander';
import { addLocks } from '../core/lock.ts';
import { type LockLine, versionLabel } from '../evidence/lock-line.ts';
import { SIGNABLE_NAME } from '../evidence/manifest.ts';
import { runningPeriod } from '../periods/period-folder.ts';
import type { CommandIo } from './io.ts';
import { type SignerOptions, withPorts, withSigner } from './lock.ts';
import { periodOf, usageError } from './options.ts';
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
    .action(async (period: string, options: SignOptions) => {
      const { json, key, as: name, role, openExceptions = '' } = options;
      const { label } = periodOf(period);
      if (!SIGNABLE_NAME.test(name.trim()))
        throw usageError(
          'a signature needs a name of one line',
          'Write for example `tieout sign 2026-10 --as "Dana Reyes" --role preparer`.',
        );
      const signText = key === undefined ? undefined : await signerWith(key);
      const wish = {
        label,
        what: 'signed',
        name: name.trim(),
        role,
        signText,
        openExceptions,
      } as const;
      const { line, early } = await withPorts(io, options, async (ports) => {
        const running = runningPeriod(ports, periodOf(period));
        if (running !== undefined && openExceptions !== '') io.warn(`${running}\n`);
        const [added] = await addLocks(ports, wish);
        return { line: added as LockLine, early: running };
      });
      const { by, ...about } = line;
      const figures = {
        ...about,
        period: versionLabel(line),
        preliminary: early !== undefined,
        name: by.name,
        role: by.role,
        signature: by.signature,
      };
      const proof = key === undefined ? '; by name only: `--key` adds the proof of an SSH key' : '';
      const text = `${period} signed by ${by.name} as ${role}, manifest ${line.manifest.slice(0, 16)}${proof}`;
      io.print(`${json ? JSON.stringify(figures, null, 2) : text}\n`);
    });
