import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { withRunLock } from '../app/build-service.ts';
import { loadOne, outputOf } from '../configuration/load-configuration.ts';
import { addLocks } from '../core/lock.ts';
import { lockPortsOf, takeLocks } from '../core/reading.ts';
import { type LockLine, versionLabel } from '../evidence/lock-line.ts';
import { type Leaves, SIGNABLE_NAME } from '../evidence/manifest.ts';
import { readPrivateKey, signText } from '../evidence/ssh-signature.ts';
import { readManifest } from '../evidence/verify-files.ts';
import { DefectError, systemReason } from '../kernel/errors.ts';
import { shownNumber } from '../kernel/text.ts';
import { type ClosePorts, runningPeriod } from '../periods/close-ports.ts';
import { removeLock } from '../periods/lock.ts';
import { pathIn } from '../periods/locks.ts';
import { stateFigures } from './close-summary.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, periodOf, usageError, withContent, withEntity, withOutput } from './options.ts';
import { printAnswer } from './print.ts';

type SignerOptions = EntityOptions & {
  readonly as?: string;
  readonly role?: string;
  readonly key?: string;
  readonly openExceptions?: string;
  readonly output?: string;
  readonly content?: string;
};

/** Adds what signing and locking have in common. */
const withSigner = (command: Command): Command =>
  withContent(withOutput(withEntity(command)))
    .argument('<period>', 'a closed period such as 2026-10, or its version 2026-10-amended-1')
    .option('--key <file>', 'an SSH key (ed25519) that signs; without it the line has a name only')
    .option(
      '--open-exceptions <why>',
      'do it although exceptions are open or the period is not over, and say why they may stand',
    );

/** Loads the entity, and works with what a close of it has. */
const withPorts = async <Result>(
  io: CommandIo,
  { config, entity, output, content }: SignerOptions,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  return io.withClose(await loadOne(config, entity), { output, content }, work);
};

/** Builds `tieout lock 2026-10`: protects what was filed from further changes. */
export const lockCommand = (io: CommandIo): Command =>
  withSigner(new Command('lock'))
    .option('--as <name>', 'who locks it')
    .option('--role <role>', 'in which role, such as controller')
    .action(async (text: string, options: SignerOptions) => {
      const { json, as: who, role = '', openExceptions = '' } = options;
      const period = periodOf(text);
      const signText = await signerWith(options.key);
      const locked = await withPorts(io, options, async (ports) => {
        const name = who || ports.configuration.entity;
        const wish = {
          period,
          name,
          openExceptions,
          what: 'locked',
          role,
          signText,
        } as const;
        const { lines, isNew, isSigned } = await lockOnce(ports, wish);
        if (!isSigned && !json)
          io.warn(`No one had signed ${period.label}. Once it is locked, it takes no signature.\n`);
        const { root } = lockPortsOf(ports);
        return Promise.all(lines.map((line) => lockedWith(line, isNew, join(root, line.folder))));
      });
      const objects = locked.map(lockObject);
      const object = objects.length === 1 ? objects[0] : { together: objects };
      printAnswer(io, json, object, locked.map(lockText).join(''));
    });

/** Locks a version. One that is locked already stays so. */
const lockOnce = async (close: ClosePorts, wish: Parameters<typeof addLocks>[1]) => {
  const { versions, lines } = await takeLocks(close);
  const { root, output } = lockPortsOf(close);
  const { label } = wish.period;
  const known = versions.find(({ name }) => name === label);
  const folder = pathIn(root, known?.folder ?? join(output, label));
  const own = lines.filter((line) => line.folder === folder);
  if (known)
    return { lines: own.filter(({ what }) => what === 'locked').slice(-1), isNew: false, isSigned: true };
  const added = await addLocks(close, wish);
  const isSigned = own.some(({ what, manifest }) => what === 'signed' && manifest === added.at(-1)?.manifest);
  return { lines: added, isNew: true, isSigned };
};

/** Returns a version that is locked, with what its manifest says. */
const lockedWith = async (line: LockLine, isNew: boolean, folder: string) => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') throw new DefectError(`${folder} is locked, and ${manifest}`);
  const { content } = manifest;
  const { states } = content.leaves as Leaves;
  const records = states.reduce((count, { orders, refunds }) => count + orders + refunds, 0);
  const files = content.logs.length + content.outputs.length + 1;
  return {
    line,
    isNew,
    content,
    states,
    records,
    files,
  };
};

type Locked = Awaited<ReturnType<typeof lockedWith>>;

const lockObject = ({ line, isNew, content, states, records, files }: Locked): object => ({
  entity: line.entity,
  period: versionLabel(line),
  digest: line.manifest,
  new: isNew,
  as: line.by.name,
  at: line.at,
  why: line.why,
  folder: line.folder,
  service: content.service,
  records,
  files,
  states: states.map(stateFigures),
  open: content.exceptions.open,
  accepted: content.exceptions.accepted,
});

const lockText = ({ line, isNew, content, records, files }: Locked): string => {
  const { open } = content.exceptions;
  return [
    `${versionLabel(line)} ${isNew ? 'is locked' : 'was locked already'}: ${shownNumber(records, 'record')}, ${shownNumber(files, 'file')} in ${line.folder}`,
    ...(open > 0 ? [`${shownNumber(open, 'exception')} left open: ${line.why}`] : []),
    `manifest ${line.manifest}`,
    '',
  ].join('\n');
};

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
      const wish = {
        period,
        what: 'signed',
        name,
        role,
        signText,
        openExceptions,
      } as const;
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

type UnlockOptions = Omit<SignerOptions, 'role' | 'key' | 'openExceptions' | 'content'> & {
  readonly reason?: string;
};

/** Builds `tieout unlock 2026-10 --reason …`: reopens a locked period, which is recorded permanently. */
export const unlockCommand = (io: CommandIo): Command =>
  withOutput(withEntity(new Command('unlock')))
    .argument('<period>', 'a locked period, such as 2026-10')
    .option('--reason <why>', 'why it must change; required')
    .option('--as <name>', 'who unlocks it')
    .action(async (period: string, options: UnlockOptions) => {
      const { config, entity, reason: why = '', as: who, output, json } = options;
      const { label } = periodOf(period);
      const configuration = await loadOne(config, entity);
      const place = { configuration, clock: io.clock, output: outputOf(configuration, output) };
      const name = who || configuration.entity;
      const { line, closeAgain } = await withRunLock(configuration, () =>
        removeLock(lockPortsOf(place), { label, name, why }),
      );
      const object = {
        entity: configuration.entity,
        period: label,
        digest: line.manifest,
        reason: why,
        close_again: closeAgain,
      };
      const behind = closeAgain.length === 0 ? '' : ` Then close again: ${closeAgain.join(', ')}.`;
      const text = `${label} is unlocked: ${why}\nClose it again before anything is filed from it.${behind}\n`;
      printAnswer(io, json, object, text);
    });

/** Returns a function that signs with the SSH key of a file, if one is named. @throws {TieoutError} E_SIGNING_KEY */
const signerWith = async (file: string | undefined): Promise<((text: string) => string) | undefined> => {
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usageError(
      `${file} cannot be read: ${systemReason(error)}`,
      'Name the private key.',
      'E_SIGNING_KEY',
    );
  });
  const key = readPrivateKey(text);
  if (key) return (statement) => signText(key, statement);
  throw usageError(
    `${file} is not a private key of OpenSSH of the type ed25519 without a passphrase`,
    'Name the private key, not the .pub file: `ssh-keygen -t ed25519 -f FILE` makes one, and `ssh-keygen -p -N "" -f COPY` unlocks a copy',
    'E_SIGNING_KEY',
  );
};
