import { stat } from 'node:fs/promises';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { expandFiles } from '../close/sales/files/expand-files.ts';
import { knownProfiles } from '../close/sales/load-profiles.ts';
import { tryExports } from '../close/stages/extract/try-exports.ts';
import { gapCounter, placesText } from '../close/stages/rate-gaps.ts';
import type { CommandIo } from './io.ts';

/** Exports are read twice for this, once here and once by the close: more than so much of them is left to `plan`. */
const READ_BYTES_MAX = 64 * 1024 * 1024;

/** The places in the exports of which the content may lack a rate; exports that cannot be read are told of below. */
export const missingPlaces = async (
  io: CommandIo,
  configuration: LoadedConfiguration,
  folder: string | undefined,
): Promise<string> => {
  const { channels, resolvePath } = configuration;
  const files = await expandFiles(
    channels.flatMap((channel) => channel.files),
    resolvePath,
  ).catch(() => []);
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path).catch(() => null))?.size));
  if (sizes.reduce<number>((total, size) => total + (size ?? 0), 0) > READ_BYTES_MAX)
    return ': `tieout plan` of a period names the places of its sales';
  return io.withService(configuration, { url: undefined, content: folder }, async ({ service }) => {
    const counter = gapCounter({ configuration, service });
    for (const channel of channels) {
      const profiles = knownProfiles(channel.profile, resolvePath);
      const entries = [...channel.files, ...channel.refundDates];
      const ports = { withScratch: io.withScratch, configuration, channel, profiles };
      for (const trial of await tryExports(ports, entries))
        if ('sales' in trial) for (const sale of trial.sales) counter.add(sale);
    }
    const places = counter.places();
    return places.length === 0
      ? '; no sale in the exports goes to a place that may lack one'
      : `; one may be missing in ${placesText(places)}`;
  });
};
