import { Command } from 'commander';
import { lock } from '../../pipelines/lock.ts';
import { loadConfiguration } from '../close/configuration/load-configuration.ts';
import { outputOf } from '../close/configuration/output-of.ts';
import { type LockLine, versionLabel } from '../close/evidence/lock-line.ts';
import type { LockResult } from '../close/periods/lock-period.ts';
import { unlockPeriod } from '../close/periods/unlock-period.ts';
import { periodFolder } from '../close/stages/run/period-folder.ts';
import { lockPortsOf } from '../core/locked.ts';
import { TieoutError } from '../kernel/errors.ts';
import { formatMoney, type Money } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/shown-figures.ts';
import { removeLock } from '../periods/lock.ts';
import { silentProgress } from '../runtime/progress.ts';
import { type EntityOptions, periodOf, withEntity } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { hasRegister, lineInRegister } from './lock-in-register.ts';

type Options = EntityOptions & {
  readonly as?: string;
  readonly openExceptions?: string;
  readonly output?: string;
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
    .option('--open-exceptions <why>', 'lock although exceptions are open, and say why they may stand')
    .action(async (text: string, { config, entity, as: who, openExceptions, output, json }: Options) => {
      const label = periodOf(text).label;
      const configuration = await loadConfiguration(config, entity);
      if (hasRegister()) {
        const wish = { label, name: who || configuration.entity, openExceptions: openExceptions ?? '' };
        const given = { ...wish, what: 'locked', role: '', replaces: '' } as const;
        const lines = await lineInRegister(io, configuration, given, { output, content: undefined });
        io.print(json ? `${JSON.stringify(lines, null, 2)}\n` : `${lines.map(lineText).join('\n')}\n`);
        return;
      }
      const place = outputOf(configuration, output);
      const beforeUnsigned = async (): Promise<void> => (json ? undefined : askUnsigned(io, label));
      const result = await io.withWorkspaceAlone(configuration, place, (workspace) =>
        lock.run(
          {
            ...{ workspace, configuration, output: place, clock: io.clock },
            ...{ beforeUnsigned, progress: silentProgress },
          },
          { period: label, who, openExceptions },
        ),
      );
      io.print(json ? `${JSON.stringify(lockObject(result), null, 2)}\n` : lockText(result));
    });

/**
 * Says before a period is locked that no one has signed it, and asks the person at the terminal, if there is one.
 *
 * @throws {TieoutError} E_UNSIGNED when the person does not want it
 */
const askUnsigned = async ({ ask, warn }: CommandIo, label: string): Promise<void> => {
  const sign = `\`tieout sign ${label} --as NAME --role preparer\``;
  warn(
    `No one has signed ${label}, and once it is locked it takes no signature: ${sign} comes first. Later it has to be unlocked for that, saying why, and locked again.\n`,
  );
  if (!ask || /^y(es)?$/i.test((await ask(`Lock ${label} without a signature? [y/N] `)).trim())) return;
  throw new TieoutError({
    code: 'E_UNSIGNED',
    message: `${label} is not signed, and was not locked`,
    nextStep: `Sign it with ${sign}, then lock it`,
  });
};

const lineText = ({ period, version, folder, manifest }: LockLine): string =>
  `${versionLabel({ period, version })} is locked: ${folder}, manifest ${manifest.slice(0, 16)}`;

const dollars = (cents: number): string => formatMoney(cents as Money);

export const lockObject = ({ label, digest, isNew, snapshot, openBefore }: LockResult): object => ({
  period: label,
  digest,
  new: isNew,
  sales: snapshot.sales.count,
  over: snapshot.over ?? [],
  service: snapshot.service,
  states: snapshot.states.map(({ state, ...figures }) => ({
    state,
    ...Object.fromEntries(Object.entries(figures).map(([name, cents]) => [name, dollars(cents)])),
  })),
  accepted: snapshot.accepted,
  open: snapshot.open,
  files: snapshot.files,
  ...(openBefore !== undefined && { open_before: openBefore }),
});

export const lockText = ({ label, digest, isNew, snapshot, openBefore }: LockResult): string => {
  const { states, sales, over, files, open } = snapshot;
  const held = over ? `the returns over ${over.join(', ')}` : shownNumber(sales.count, 'record');
  const total = (figure: 'gross' | 'taxable' | 'collected' | 'expected'): string =>
    shownMoney(states.reduce((sum, state) => sum + state[figure], 0) as Money);
  return [
    `${label} ${isNew ? 'is locked' : 'was locked already'}: ${held}, ${shownNumber(files.length, 'file')}`,
    `calculated by: ${snapshot.service}`,
    `gross ${total('gross')}, taxable ${total('taxable')}, collected ${total('collected')}, expected ${total('expected')}`,
    ...(open.length > 0 ? [`${shownNumber(open.length, 'exception')} left open: ${open[0]?.why ?? ''}`] : []),
    `digest ${digest}`,
    ...(openBefore === undefined
      ? []
      : [
          `${openBefore}, the period before, is not locked: if it is closed again with other content, \`tieout verify\` says of ${label} that it was built on something else. Lock ${openBefore} next.`,
        ]),
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
    .action(
      async (
        text: string,
        { config, entity, reason: why = '', as: who = '', output, json }: UnlockOptions,
      ) => {
        const { label } = periodOf(text);
        const configuration = await loadConfiguration(config, entity);
        const place = outputOf(configuration, output);
        if (hasRegister()) {
          const ports = lockPortsOf({ configuration, output: place, clock: io.clock });
          const { closeAgain } = await removeLock(ports, { label, name: who || configuration.entity, why });
          const again = { entity: configuration.entity, period: label, reason: why, close_again: closeAgain };
          const text = `${label} is unlocked: ${why}\nClose it again before anything is filed from it, and then: ${closeAgain.join(', ') || 'nothing else'}\n`;
          io.print(json ? `${JSON.stringify(again, null, 2)}\n` : text);
          return;
        }
        const folder = periodFolder({ output: place, configuration }, { label });
        const lock = await io.withWorkspaceAlone(configuration, place, (workspace) =>
          unlockPeriod(workspace, { label, folder, who, why, now: io.clock.now() }),
        );
        const object = { entity: configuration.entity, period: label, digest: lock.digest, reason: why };
        if (json) io.print(`${JSON.stringify(object, null, 2)}\n`);
        else io.print(`${label} is unlocked: ${why}\nClose it again before anything is filed from it.\n`);
      },
    );
