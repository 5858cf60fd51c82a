import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfiguration } from '../configuration/load-configuration.ts';
import { addLocks } from '../core/lock.ts';
import { lockPortsOf, takeLocks } from '../core/reading.ts';
import { type LockLine, versionLabel } from '../evidence/lock-line.ts';
import type { Leaves, ManifestContent } from '../evidence/manifest.ts';
import { readManifest } from '../evidence/verify-files.ts';
import { DefectError } from '../kernel/errors.ts';
import { sum } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { pathIn } from '../periods/locks.ts';
import { stateFigures } from './close-summary.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, periodOf, withContent, withEntity, withOutput } from './options.ts';
import { signerWith } from './signing-files.ts';

export type SignerOptions = EntityOptions & {
  readonly as?: string;
  readonly role?: string;
  readonly key?: string;
  readonly openExceptions?: string;
  readonly output?: string;
  readonly content?: string;
};

/** Adds what signing and locking have in common. */
export const withSigner = (command: Command): Command =>
  withContent(withOutput(withEntity(command)))
    .argument('<period>', 'a closed period such as 2026-10, or its version 2026-10-amended-1')
    .option('--key <file>', 'an SSH key (ed25519) that signs; without it the line has a name only')
    .option(
      '--open-exceptions <why>',
      'do it although exceptions are open or the period is not over, and say why they may stand',
    );

/** Loads the entity, and works with what a close of it has. */
export const withPorts = async <Result>(
  io: CommandIo,
  { config, entity, output, content }: SignerOptions,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  const configuration = await loadConfiguration(config, entity);
  const place = { output, content, recompute: false, maxCalculations: undefined };
  return io.withClose(configuration, place, work);
};

/** Builds `tieout lock 2026-10`: protects what was filed from further changes. */
export const lockCommand = (io: CommandIo): Command =>
  withSigner(new Command('lock'))
    .option('--as <name>', 'who locks it')
    .option('--role <role>', 'in which role, such as controller')
    .action(async (period: string, options: SignerOptions) => {
      const { json, key, as: who, role = '', openExceptions = '' } = options;
      const { label } = periodOf(period);
      const signText = key === undefined ? undefined : await signerWith(key);
      const locked = await withPorts(io, options, async (ports) => {
        const name = who || ports.configuration.entity;
        const wish = { label, name, openExceptions, what: 'locked', role, signText } as const;
        const { lines, isNew, isSigned } = await lockOnce(ports, wish);
        if (!isSigned && !json)
          io.warn(`No one had signed ${label}. Once it is locked, it takes no signature.\n`);
        const { root } = lockPortsOf(ports);
        return Promise.all(
          lines.map(async (line) => ({ line, isNew, content: await contentOf(join(root, line.folder)) })),
        );
      });
      const objects = locked.map(lockObject);
      const object = objects.length === 1 ? objects[0] : { together: objects };
      io.print(json ? `${JSON.stringify(object, null, 2)}\n` : locked.map(lockText).join(''));
    });

/** Locks a version. One that is locked already stays so. */
const lockOnce = async (close: ClosePorts, wish: Parameters<typeof addLocks>[1]) => {
  const { versions, lines } = await takeLocks(close);
  const { root, output } = lockPortsOf(close);
  const known = versions.find(({ name }) => name === wish.label);
  const folder = pathIn(root, known?.folder ?? join(output, wish.label));
  const own = lines.filter((line) => line.folder === folder);
  if (known)
    return { lines: own.filter(({ what }) => what === 'locked').slice(-1), isNew: false, isSigned: true };
  const added = await addLocks(close, wish);
  const isSigned = own.some(({ what, manifest }) => what === 'signed' && manifest === added.at(-1)?.manifest);
  return { lines: added, isNew: true, isSigned };
};

/** A version that is locked, and what its manifest says. */
type Locked = { readonly line: LockLine; readonly isNew: boolean; readonly content: ManifestContent };

const contentOf = async (folder: string): Promise<ManifestContent> => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') throw new DefectError(`${folder} is locked, and ${manifest}`);
  return manifest.content;
};

const statesIn = ({ leaves }: ManifestContent): Leaves['states'] => (leaves as Leaves).states;

const countsOf = (content: ManifestContent) => ({
  records: statesIn(content).reduce((count, { orders, refunds }) => count + orders + refunds, 0),
  files: content.logs.length + content.outputs.length + 1,
});

const lockObject = ({ line, isNew, content }: Locked): object => ({
  entity: line.entity,
  period: versionLabel(line),
  digest: line.manifest,
  new: isNew,
  as: line.by.name,
  at: line.at,
  why: line.why,
  folder: line.folder,
  service: content.service,
  ...countsOf(content),
  states: statesIn(content).map(stateFigures),
  open: content.exceptions.open,
  accepted: content.exceptions.accepted,
});

const lockText = ({ line, isNew, content }: Locked): string => {
  const { records, files } = countsOf(content);
  const { open } = content.exceptions;
  const total = (figure: 'gross' | 'taxable' | 'collected' | 'expected'): string =>
    shownMoney(sum(statesIn(content).map((state) => state[figure])));
  return [
    `${versionLabel(line)} ${isNew ? 'is locked' : 'was locked already'}: ${shownNumber(records, 'record')}, ${shownNumber(files, 'file')} in ${line.folder}`,
    `calculated by: ${content.service}`,
    `gross ${total('gross')}, taxable ${total('taxable')}, collected ${total('collected')}, expected ${total('expected')}`,
    ...(open > 0 ? [`${shownNumber(open, 'exception')} left open: ${line.why}`] : []),
    `manifest ${line.manifest}`,
    '',
  ].join('\n');
};
