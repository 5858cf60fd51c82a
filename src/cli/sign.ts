import { join } from 'node:path';
import { Command, Option } from 'commander';
import { type LoadedConfiguration, loadConfiguration } from '../configuration/load-configuration.ts';
import { addLocks } from '../core/lock.ts';
import { lockPortsOf, takeLocks } from '../core/locked.ts';
import { type LockLine, versionLabel } from '../evidence/lock-line.ts';
import { SIGNABLE_NAME } from '../evidence/manifest.ts';
import { TieoutError } from '../kernel/errors.ts';
import type { LockPorts, LockWish } from '../periods/lock-checks.ts';
import { pathIn } from '../periods/locks.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { runningPeriod } from '../run/period-folder.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, periodOf, withEntity } from './options.ts';
import { signerWith } from './signing-files.ts';

type Options = EntityOptions & {
  readonly as: string;
  readonly role: 'preparer' | 'reviewer';
  readonly output?: string;
  readonly content?: string;
  readonly key?: string;
  readonly replace?: string;
  readonly openExceptions?: string;
};

/**
 * Builds `tieout sign 2026-10 --as NAME --role reviewer --key FILE`: signs everything that a closed period published.
 */
export const signCommand = (io: CommandIo): Command =>
  withEntity(new Command('sign'))
    .argument('<period>', 'a month such as 2026-10, or 2026-Q4, 2026-H2, 2026, or 2026-10..2026-12')
    .requiredOption('--as <name>', 'who signs')
    .addOption(
      new Option('--role <role>', 'in which role').choices(['preparer', 'reviewer']).makeOptionMandatory(),
    )
    .option('--key <file>', 'an SSH key (ed25519) that signs; without it the signature is a name only')
    .option('--replace <why>', 'replace a wrong signature in this role, and say what was wrong')
    .option(
      '--open-exceptions <why>',
      'sign although exceptions are open or the period is not over, and say why',
    )
    .option('-o, --output <folder>', 'find the published folder here instead of in `output`')
    .option('--content <folder>', 'the tax content that the period was closed with')
    .action(async (period: string, given: Options) => {
      const { config, entity, output, content, json, key, as: name, role } = given;
      const { replace: replaces, openExceptions } = given;
      periodOf(period);
      if (!SIGNABLE_NAME.test(name.trim())) throw nameless();
      const signText = key === undefined ? undefined : await signerWith(key);
      const configuration = await loadConfiguration(config, entity);
      const early = runningPeriod({ configuration, clock: io.clock }, periodOf(period));
      if (early !== undefined && openExceptions !== undefined) io.warn(`${early}\n`);
      const wish = { label: periodOf(period).label, what: 'signed', name: name.trim(), role } as const;
      const how = { signText, openExceptions: openExceptions ?? '', replaces: replaces ?? '' };
      const line = await signInRegister(io, configuration, { ...wish, ...how }, { output, content });
      const { by, ...about } = line;
      const figures = {
        ...{ ...about, period: versionLabel(line), preliminary: early !== undefined },
        ...{ name: by.name, role: by.role, signature: by.signature },
      };
      const proof = key === undefined ? '; by name only: `--key` adds the proof of an SSH key' : '';
      const text = `${period} signed by ${by.name} as ${role}, manifest ${line.manifest.slice(0, 16)}${proof}`;
      io.print(`${json ? JSON.stringify(figures, null, 2) : text}\n`);
    });

const nameless = (): TieoutError =>
  new TieoutError({
    code: 'E_USAGE',
    message: 'a signature needs a name of one line',
    nextStep: 'Write for example `tieout sign 2026-10 --as "Dana Reyes" --role preparer`.',
  });

type Wish = Omit<LockWish, 'current'>;
type Place = { readonly output: string | undefined; readonly content: string | undefined };

/** The lines that were added, and where their folders are. */
type Added = { readonly lines: readonly LockLine[]; readonly ports: LockPorts };

const withPorts = <Result>(
  io: CommandIo,
  configuration: LoadedConfiguration,
  place: Place,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> =>
  io.withClose(configuration, { ...place, recompute: false, maxCalculations: undefined }, work);

/** Signs a version. */
export const signInRegister = async (
  io: CommandIo,
  configuration: LoadedConfiguration,
  wish: Wish,
  place: Place,
): Promise<LockLine> => {
  const [line] = await withPorts(io, configuration, place, (ports) => addLocks(ports, wish));
  return line as LockLine;
};

/** Locks a version. One that is locked already stays so. */
export const lockInRegister = (
  io: CommandIo,
  configuration: LoadedConfiguration,
  wish: Wish,
  place: Place,
): Promise<Added & { readonly isNew: boolean; readonly isSigned: boolean }> =>
  withPorts(io, configuration, place, async (close) => {
    const ports = lockPortsOf(close);
    const { versions, lines } = await takeLocks(close);
    const known = versions.find(({ name }) => name === wish.label);
    const folder = pathIn(ports.root, known?.folder ?? join(ports.output, wish.label));
    const own = lines.filter((line) => line.folder === folder);
    const added = known ? own.filter(({ what }) => what === 'locked').slice(-1) : await addLocks(close, wish);
    const isSigned = own.some(
      ({ what, manifest }) => what === 'signed' && manifest === added.at(-1)?.manifest,
    );
    return { lines: added, ports, isNew: !known, isSigned: isSigned || known !== undefined };
  });
