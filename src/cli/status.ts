import { Command } from 'commander';
import { loadConfiguration } from '../close/configuration/load-configuration.ts';
import { eventsOf } from '../close/periods/period-events.ts';
import { locksOf } from '../close/workspace/locks.ts';
import { lastRuns, type RunNote } from '../close/workspace/runs.ts';
import { formatInstant } from '../kernel/calendar.ts';
import type { CommandIo } from './io.ts';
import { lockLines, lockObjects } from './lock-lines.ts';

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
      const [runs, locks, events] = await io.withWorkspace(configuration, async (workspace) => [
        await lastRuns(workspace),
        await locksOf(workspace),
        await eventsOf(workspace),
      ]);
      const shown = runs.filter((run) => period === undefined || run.period === period);
      const isShown = (label: string) =>
        period === undefined || label.replace(/-amended-\d+$/, '') === period;
      const ownLocks = locks.filter(({ label }) => isShown(label));
      const ownEvents = events.filter((event) => isShown(event.period));
      if (json) {
        const status = { entity: configuration.entity, periods: shown, ...lockObjects(ownLocks, ownEvents) };
        io.print(`${JSON.stringify(status, null, 2)}\n`);
        return;
      }
      const lines = [...shown.map(lineOf), ...lockLines(ownLocks, ownEvents)];
      io.print(lines.length === 0 ? 'Nothing has been closed yet.\n' : `${lines.join('\n')}\n`);
    });

const WORDS: Readonly<Record<number, string>> = { 0: 'closed', 1: 'closed, with something open' };

const lineOf = ({ period, started, exitCode }: RunNote): string => {
  const at = formatInstant(started).slice(0, 16).replace('T', ' ');
  const ended = exitCode === null ? 'at work, or cut off' : (WORDS[exitCode] ?? `stopped with ${exitCode}`);
  return `${period.padEnd(18)} ${ended.padEnd(28)} run of ${at} UTC`;
};
