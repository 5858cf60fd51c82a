import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { gapCounter, placesText } from '../close/stages/coverage/rate-gaps.ts';
import type { TriedExports } from './examine-exports.ts';
import type { CommandIo } from './io.ts';

/** The places in the exports of which the content may lack a rate; exports that cannot be read are told of below. */
export const missingPlaces = async (
  io: CommandIo,
  configuration: LoadedConfiguration,
  folder: string | undefined,
  tried: TriedExports,
): Promise<string> =>
  io.withService(configuration, { url: undefined, content: folder }, async ({ service }) => {
    const counter = gapCounter({ configuration, service });
    for (const channel of configuration.channels) {
      const trials = await tried(channel);
      if (trials === undefined) return ': `tieout plan` of a period names the places of its sales';
      for (const trial of trials) if ('sales' in trial) for (const sale of trial.sales) counter.add(sale);
    }
    const places = counter.places();
    return places.length === 0
      ? '; no sale in the exports is affected'
      : `; one may be missing in ${placesText(places)}`;
  });
