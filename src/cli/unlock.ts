import { Command } from 'commander';
import { withRunLock } from '../app/build-service.ts';
import { loadOne, outputOf } from '../configuration/load-configuration.ts';
import { lockPortsOf } from '../core/reading.ts';
import { removeLock } from '../periods/lock.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, periodOf, withEntity, withOutput } from './options.ts';
import { printAnswer } from './print.ts';

type UnlockOptions = EntityOptions & {
  readonly as?: string;
  readonly output?: string;
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
