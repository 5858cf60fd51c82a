import { Command } from 'commander';
import { loadConfiguration } from '../close/configuration/load-configuration.ts';
import { lastRuns, type RunNote } from '../close/workspace/runs.ts';
import { formatInstant } from '../kernel/calendar.ts';
import type { CommandIo } from './io.ts';

type Options = { readonly config: string; readonly json?: boolean };

/** `tieout status`: how the last run of each period ended. It may be asked while a run is at work. */
export const statusCommand = (io: CommandIo): Command =>
  new Command('status')
    .description('how the last run of each period ended')
    .argument('[period]', 'only this period')
    .option('-c, --config <file>', 'the configuration', 'tieout.yaml')
    .option('--json', 'one JSON object on standard output, nothing else there')
    .action(async (period: string | undefined, { config, json }: Options) => {
      const configuration = await loadConfiguration(config);
      const runs = await io.withWorkspace(configuration, (workspace) => lastRuns(workspace));
      const shown = runs.filter((run) => period === undefined || run.period === period);
      if (json) io.print(`${JSON.stringify({ entity: configuration.entity, periods: shown }, null, 2)}\n`);
      else
        io.print(shown.length === 0 ? 'Nothing has been closed yet.\n' : `${shown.map(lineOf).join('\n')}\n`);
    });

const WORDS: Readonly<Record<number, string>> = { 0: 'closed', 1: 'closed, with something open' };

const lineOf = ({ period, started, exitCode }: RunNote): string => {
  const at = formatInstant(started).slice(0, 16).replace('T', ' ');
  const ended = exitCode === null ? 'at work, or cut off' : (WORDS[exitCode] ?? `stopped with ${exitCode}`);
  return `${period.padEnd(18)} ${ended.padEnd(28)} run of ${at} UTC`;
};
