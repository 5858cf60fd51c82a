import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfiguration } from '../close/configuration/load-configuration.ts';
import { outputOf } from '../close/configuration/output-of.ts';
import { type Adopted, adoptFolders } from '../close/stages/adopt/adopt-folders.ts';
import { shownNumber } from '../kernel/shown-figures.ts';
import { type EntityOptions, withEntity } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { periodFolders } from './period-folders.ts';

type Options = EntityOptions & {
  readonly as?: string;
};

/** Builds `tieout adopt FOLDER`: restores locks and signatures from the evidence of published periods. */
export const adoptCommand = (io: CommandIo): Command =>
  withEntity(new Command('adopt'))
    .argument('<folder...>', 'folders of locked or signed periods, or of an entity with all its periods')
    .option('--as <name>', 'who takes them back')
    .action(async (named: readonly string[], { config, entity, as: who = '', json }: Options) => {
      const configuration = await loadConfiguration(config, entity);
      const folders: string[] = [];
      for (const folder of named) folders.push(...(await periodFolders(folder)));
      const output = join(outputOf(configuration, undefined), configuration.entity);
      const build = await io.build();
      const adopted = await io.withWorkspaceAdopting(configuration, (workspace) =>
        adoptFolders(
          { workspace, folderOf: (period) => join(output, period), who, now: io.clock.now(), build },
          folders,
        ),
      );
      if (json) io.print(`${JSON.stringify({ entity: configuration.entity, periods: adopted }, null, 2)}\n`);
      else io.print(adopted.map((each) => `${lineOf(each)}\n`).join(''));
    });

const lineOf = ({ period, lock, sales, signatures }: Adopted): string => {
  if (lock === 'none' && signatures === 0)
    return `${period}: no lock, and no signature that the workspace lacks`;
  const signed = signatures === 0 ? '' : `, ${signatures} ${signatures === 1 ? 'signature' : 'signatures'}`;
  if (lock === 'none')
    return `${period} is signed and not locked${signed}: close it again before it is locked`;
  return lock === 'held'
    ? `${period} was locked in the workspace already${signed}`
    : `${period} is locked: ${shownNumber(sales, 'record')}${signed}`;
};
