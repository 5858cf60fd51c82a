import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfiguration, outputOf } from '../configuration/load-configuration.ts';
import { lockPortsOf } from '../core/locked.ts';
import { type LockLine, versionLabel } from '../evidence/lock-line.ts';
import type { ManifestContent } from '../evidence/manifest.ts';
import { readManifest } from '../evidence/verify-files.ts';
import { DefectError } from '../kernel/errors.ts';
import { type Money, parseMoney, sum, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import { removeLock } from '../periods/lock.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, periodOf, withEntity } from './options.ts';
import { lockInRegister } from './sign.ts';
import { signerWith } from './signing-files.ts';

type Options = EntityOptions & {
  readonly as?: string;
  readonly role?: string;
  readonly key?: string;
  readonly openExceptions?: string;
  readonly output?: string;
  readonly content?: string;
};

const withOutput = (command: Command): Command =>
  command.option(
    '-o, --output <folder>',
    'where the workbooks are, instead of `output` of the configuration',
  );

/** Builds `tieout lock 2026-10`: protects what was filed from further changes. */
export const lockCommand = (io: CommandIo): Command =>
  withOutput(withEntity(new Command('lock')))
    .argument('<period>', 'a period that was closed, such as 2026-10')
    .option('--as <name>', 'who locks it')
    .option('--role <role>', 'in which role, such as controller')
    .option('--key <file>', 'an SSH key (ed25519) that signs the lock; without it the lock has a name only')
    .option(
      '--open-exceptions <why>',
      'lock although exceptions are open or the period is not over, and say why they may stand',
    )
    .option('--content <folder>', 'the tax content that the period was closed with')
    .action(async (text: string, options: Options) => {
      const { config, entity, as: who, openExceptions = '', output, content, json } = options;
      const { role = '', key } = options;
      const { label } = periodOf(text);
      const configuration = await loadConfiguration(config, entity);
      const name = who || configuration.entity;
      const signText = key === undefined ? undefined : await signerWith(key);
      const wish = { label, name, openExceptions, what: 'locked', role, replaces: '', signText } as const;
      const place = { output, content };
      const { lines, ports, isNew, isSigned } = await lockInRegister(io, configuration, wish, place);
      if (!isSigned && !json)
        io.warn(`No one had signed ${label}. Once it is locked, it takes no signature.\n`);
      const locked: Locked[] = [];
      for (const line of lines)
        locked.push({ line, isNew, content: await contentOf(join(ports.root, line.folder)) });
      const objects = locked.map(lockObject);
      io.print(
        json
          ? `${JSON.stringify(objects.length === 1 ? objects[0] : { together: objects }, null, 2)}\n`
          : locked.map(lockText).join(''),
      );
    });

/** A version that is locked, and what its manifest says. */
type Locked = { readonly line: LockLine; readonly isNew: boolean; readonly content: ManifestContent };

const contentOf = async (folder: string): Promise<ManifestContent> => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') throw new DefectError(`${folder} is locked, and ${manifest}`);
  return manifest.content;
};

const countsOf = ({ states, logs, outputs }: ManifestContent) => ({
  records: states.reduce((count, { orders, refunds }) => count + orders + refunds, 0),
  files: logs.length + outputs.length + 1,
});

const lockObject = ({ line, isNew, content }: Locked): object => ({
  entity: line.entity,
  period: versionLabel(line),
  digest: line.manifest,
  new: isNew,
  ...{ as: line.by.name, at: line.at, why: line.why, folder: line.folder },
  ...{ service: content.service, ...countsOf(content), states: content.states },
  ...{ open: content.exceptions.open, accepted: content.exceptions.accepted },
});

const lockText = ({ line, isNew, content }: Locked): string => {
  const { records, files } = countsOf(content);
  const { open } = content.exceptions;
  const total = (figure: 'gross' | 'taxable' | 'collected' | 'expected'): string =>
    shownMoney(sum(content.states.map((state): Money => parseMoney(state[figure]) ?? ZERO)));
  return [
    `${versionLabel(line)} ${isNew ? 'is locked' : 'was locked already'}: ${shownNumber(records, 'record')}, ${shownNumber(files, 'file')} in ${line.folder}`,
    `calculated by: ${content.service}`,
    `gross ${total('gross')}, taxable ${total('taxable')}, collected ${total('collected')}, expected ${total('expected')}`,
    ...(open > 0 ? [`${shownNumber(open, 'exception')} left open: ${line.why}`] : []),
    `manifest ${line.manifest}`,
    '',
  ].join('\n');
};

type UnlockOptions = EntityOptions & {
  readonly reason?: string;
  readonly as?: string;
  readonly output?: string;
};

/** Builds `tieout unlock 2026-10 --reason …`: reopens a locked period, which is recorded permanently. */
export const unlockCommand = (io: CommandIo): Command =>
  withOutput(withEntity(new Command('unlock')))
    .argument('<period>', 'a locked period, such as 2026-10')
    .option('--reason <why>', 'why it must change; required')
    .option('--as <name>', 'who unlocks it')
    .action(async (text: string, options: UnlockOptions) => {
      const { config, entity, reason: why = '', as: who, output, json } = options;
      const { label } = periodOf(text);
      const configuration = await loadConfiguration(config, entity);
      const ports = lockPortsOf({
        ...{ configuration, clock: io.clock },
        output: outputOf(configuration, output),
      });
      const name = who || configuration.entity;
      const { line, closeAgain } = await io.withRunLock(configuration, () =>
        removeLock(ports, { label, name, why }),
      );
      const { manifest: digest } = line;
      const behind = closeAgain.length === 0 ? '' : ` Then close again: ${closeAgain.join(', ')}.`;
      const object = {
        ...{ entity: configuration.entity, period: label, digest, reason: why },
        close_again: closeAgain,
      };
      io.print(
        json
          ? `${JSON.stringify(object, null, 2)}\n`
          : `${label} is unlocked: ${why}\nClose it again before anything is filed from it.${behind}\n`,
      );
    });
