import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { LockLine } from '../close/evidence/lock-line.ts';
import { MANIFEST_PATH } from '../close/evidence/manifest.ts';
import { addLocks } from '../core/lock.ts';
import { lockPortsOf, takeLocks } from '../core/locked.ts';
import { sha256 } from '../kernel/digest.ts';
import type { LockPorts, LockWish } from '../periods/lock-checks.ts';
import { pathIn } from '../periods/locks.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { CommandIo } from './io.ts';

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

/**
 * Locks a version. One that is locked already stays so.
 *
 * @param beforeUnsigned called before a version is locked that no one has signed
 */
export const lockInRegister = (
  io: CommandIo,
  configuration: LoadedConfiguration,
  wish: Wish,
  place: Place,
  beforeUnsigned: () => Promise<void>,
): Promise<Added & { readonly isNew: boolean }> =>
  withPorts(io, configuration, place, async (close) => {
    const ports = lockPortsOf(close);
    const { versions, lines } = await takeLocks(close);
    const known = versions.find(({ name }) => name === wish.label);
    if (known) {
      const folder = pathIn(ports.root, known.folder);
      const own = lines.findLast((line) => line.what === 'locked' && line.folder === folder);
      return { lines: own ? [own] : [], ports, isNew: false };
    }
    const asked = (await isSigned(ports, lines, wish.label)) ? undefined : beforeUnsigned;
    return { lines: await addLocks(close, { ...wish, asked }), ports, isNew: true };
  });

/** Whether someone has signed what the folder of a version holds. A folder without a manifest is refused later. */
const isSigned = async (ports: LockPorts, lines: readonly LockLine[], label: string): Promise<boolean> => {
  const folder = join(ports.output, label);
  const manifest = await readFile(join(folder, MANIFEST_PATH)).catch(() => undefined);
  if (!manifest) return true;
  const [path, digest] = [pathIn(ports.root, folder), sha256(manifest)];
  return lines.some((line) => line.what === 'signed' && line.folder === path && line.manifest === digest);
};
