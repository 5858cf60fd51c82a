import { resolve } from 'node:path';
import { Command } from 'commander';
import {
  configurationIn,
  type LoadedConfiguration,
  loadConfiguration,
} from '../configuration/load-configuration.ts';
import type { ChannelConfiguration } from '../configuration/schema.ts';
import { type ExitCode, exitCodeOf, type TieoutError } from '../kernel/errors.ts';
import { isTimeZone, WANTED_ZONE } from '../kernel/time-zones.ts';
import { holdMemory } from '../runtime/hold-memory.ts';
import { profilePlace, shippedProfiles } from '../sales/detect-profile.ts';
import { draftProfile } from '../sales/draft-profile.ts';
import { ExportError } from '../sales/file-source.ts';
import { expandFiles, surveyFile } from '../sales/survey-file.ts';
import { findExports, trialConfiguration, tryExports } from '../setup/try-exports.ts';
import type { CommandIo } from './io.ts';
import { usageError } from './options.ts';
import { errorObject, textTable, writeNewFile } from './print.ts';
import { trialObject, trialText } from './profile-listing.ts';

type Common = { readonly profile?: string; readonly json?: boolean };
type TestOptions = Common & {
  readonly config?: string;
  readonly entity?: string;
  readonly channel?: string;
  readonly timeZone?: string;
};

const fromHere = (path: string): string => resolve(path);

/**
 * Builds `tieout profile …`: lists the profiles, tests reading an export, and drafts a profile for an unknown one.
 */
export const profileCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command => {
  const profile = new Command('profile');
  const json = (object: object) => io.print(`${JSON.stringify(object, null, 2)}\n`);

  profile
    .command('list')
    .description('List the profiles that come with Tieout')
    .option('--json', 'print a single JSON object to stdout')
    .action(({ json: isJson }: Common) => {
      const profiles = shippedProfiles().map(({ id, title, capability, proof, source }) => ({
        id,
        title,
        capability,
        proof: proof ? `proved by a ${proof.by}, ${proof.on}` : 'unproved',
        source,
      }));
      if (isJson) json({ profiles });
      else
        io.print(
          textTable(profiles.map(({ id, title, capability, proof }) => [id, title, capability, proof])),
        );
    });

  profile
    .command('test')
    .description('Read files as a close would: records and control totals')
    .argument('<files...>', 'files of one channel, its companion files too; folders, patterns, archives')
    .option('--profile <name>', 'use this profile: its id, or a YAML file of your own')
    .option('-c, --config <file>', 'take time zone, address, categories and channel from a configuration')
    .option('-e, --entity <name>', 'name the entity if there are several')
    .option('--channel <name>', 'read as this channel of the configuration; needed if it has several')
    .option(
      '--time-zone <zone>',
      'the zone that decides the day of a sale (default: that of the configuration, else UTC)',
    )
    .option('--json', 'print a single JSON object to stdout')
    .action(async (entries: readonly string[], options: TestOptions) => {
      const { configuration, channel } = await settingsOf(options);
      const named = options.profile ?? channel.profile;
      const resolvePath = options.profile === undefined ? configuration.resolvePath : fromHere;
      holdMemory();
      const trial = {
        configuration: { ...configuration, resolvePath: fromHere },
        channel: { ...channel, profile: profilePlace(named, resolvePath) },
      };
      const print = (files: readonly object[]): void => {
        const read = options.config === undefined ? {} : { channel: channel.name };
        json({ time_zone: configuration.timeZone, ...read, files });
      };
      try {
        const trials = await tryExports(trial, await findExports(trial, entries));
        if (options.json) return print(trials.map(trialObject));
        io.print(`days in ${configuration.timeZone}\n\n${trials.map(trialText).join('\n')}`);
      } catch (error) {
        if (!options.json || !(error instanceof ExportError)) throw error;
        const place = String(error.details['file']);
        print([{ file: entries.find((entry) => fromHere(entry) === place) ?? place, ...errorObject(error) }]);
        exit(exitCodeOf(error));
      }
    });

  profile
    .command('init')
    .description('Draft a profile for an unknown export, with open questions')
    .argument('<file>', 'an export with its header and, better, a few hundred rows')
    .option('-o, --output <file>', 'write the draft there instead of printing it')
    .action(async (entry: string, { output }: { readonly output?: string }) => {
      const [source] = await expandFiles([entry], fromHere);
      if (!source) throw usageError(`${entry}: there is no such file`, 'Name an export.', 'E_EXPORT_MISSING');
      const draft = await draftProfile(await surveyFile(source));
      if (output === undefined) return io.print(draft);
      await writeNewFile(output, draft, 'profile');
      io.print(
        `Wrote ${output}. Answer each DECIDE in it. Next: \`tieout profile test ${entry} --profile ${output}\`\n`,
      );
    });
  return profile;
};

const settingsOf = async (
  options: TestOptions,
): Promise<{ readonly configuration: LoadedConfiguration; readonly channel: ChannelConfiguration }> => {
  if (options.timeZone !== undefined && !isTimeZone(options.timeZone))
    throw usage(`"${options.timeZone}" is not a time zone`, `Write ${WANTED_ZONE}.`);
  const base =
    options.config === undefined
      ? configurationIn(
          'tieout.yaml',
          trialConfiguration({ name: 'trial', profile: undefined, timeZone: 'UTC' }),
        )
      : await loadConfiguration(options.config, options.entity);
  const configuration = { ...base, timeZone: options.timeZone ?? base.timeZone };
  const { channels } = configuration;
  const [channel, ...others] =
    options.channel === undefined ? channels : channels.filter(({ name }) => name === options.channel);
  if (!channel || others.length > 0)
    throw usage(
      channel
        ? 'the configuration has several channels'
        : `the configuration has no channel "${options.channel}"`,
      `Name one with --channel: ${channels.map(({ name }) => name).join(', ')}.`,
    );
  return { configuration, channel };
};

const usage = (message: string, nextStep: string): TieoutError =>
  usageError(message, nextStep, 'E_PROFILE_USAGE');
