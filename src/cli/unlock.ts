import { Command } from 'commander';
import { loadConfiguration } from '../close/configuration/load-configuration.ts';
import { unlockPeriod } from '../close/periods/unlock-period.ts';
import { periodOf } from './close-options.ts';
import type { CommandIo } from './io.ts';

type Options = {
  readonly config: string;
  readonly entity?: string;
  readonly reason?: string;
  readonly as?: string;
  readonly json?: boolean;
};

/** `tieout unlock 2026-10 --reason …`: open a locked period again, which is written down for ever. */
export const unlockCommand = (io: CommandIo): Command =>
  new Command('unlock')
    .argument('<period>', 'a locked period, such as 2026-10')
    .option('-c, --config <file>', 'the configuration', 'tieout.yaml')
    .option('-e, --entity <name>', 'the entity, when the configuration has several')
    .option('--reason <why>', 'why it must change; required')
    .option('--as <name>', 'who unlocks it')
    .option('--json', 'one JSON object on standard output, nothing else there')
    .action(async (text: string, { config, entity, reason: why = '', as: who = '', json }: Options) => {
      const label = periodOf(text).label;
      const configuration = await loadConfiguration(config, entity);
      const lock = await io.withWorkspaceAlone(configuration, (workspace) =>
        unlockPeriod(workspace, { label, who, why, now: io.clock.now() }),
      );
      const object = { entity: configuration.entity, period: label, digest: lock.digest, reason: why };
      if (json) io.print(`${JSON.stringify(object, null, 2)}\n`);
      else io.print(`${label} is unlocked: ${why}\nClose it again before anything is filed from it.\n`);
    });
