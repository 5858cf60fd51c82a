import { resolve } from 'node:path';
import type { Command } from 'commander';
import { quoted } from '../kernel/quoted-path.ts';
import { WITH_CONFIGURATION, WITH_ENTITY } from './command-table.ts';

const NAMED = new RegExp(
  `\`tieout (${[...WITH_ENTITY, ...WITH_CONFIGURATION].join('|')})(?: [^\`]*)?\``,
  'g',
);

/**
 * Texts for people name commands as `tieout close 2026-10`. This adds the configuration and the entity that the running
 * command was given, so that a named command works on the same one. The objects of `--json` stay as they are.
 */
export const completedFor = (running: Command): ((text: string) => string) => {
  const given = (name: string): string | undefined =>
    running.getOptionValueSource(name) === 'cli' ? String(running.getOptionValue(name)) : undefined;
  const [config, entity] = [given('config'), given('entity')];
  const chosen = config === undefined ? '' : ` --config ${quoted(resolve(config))}`;
  const both = `${chosen}${entity === undefined ? '' : ` --entity ${entity}`}`;
  if (both === '') return (text) => text;
  return (text) =>
    text.replace(NAMED, (named, name: string) => {
      if (named.includes(' --config ') || text.startsWith('{')) return named;
      return `${named.slice(0, -1)}${WITH_CONFIGURATION.includes(name) ? chosen : both}\``;
    });
};
