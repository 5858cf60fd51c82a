import type { Instant } from '../../../../kernel/calendar.ts';
import { wallTimeIn, zoneClock } from '../../../../kernel/local-time.ts';
import { noteZones } from '../../../workspace/loads.ts';
import type { ChannelLoad } from './channel-load.ts';

/** The instants that a record without a stated zone had when it was read in other time zones. */
export type EarlierInstants = (at: Instant) => readonly Instant[];

/**
 * Record the time zones in which a channel is about to be read. Returns a function that gives the instants under
 * earlier time zones, both for cells that show a clock time and for days without a time.
 */
export const noteReadingZones = async (load: ChannelLoad): Promise<EarlierInstants> => {
  const { configuration, channel } = load;
  const now = { time_zone: configuration.timeZone, channel_zone: channel.timeZone ?? configuration.timeZone };
  const noted = await noteZones(load, now);
  const changes = new Map<string, readonly [from: string, to: string]>();
  for (const before of noted)
    for (const column of ['time_zone', 'channel_zone'] as const)
      if (before[column] !== now[column])
        changes.set(`${before[column]} ${now[column]}`, [before[column], now[column]]);
  const moves = [...changes.values()].map(([from, to]) => {
    const [clock, wallTime] = [zoneClock(from), wallTimeIn(to)];
    return (at: Instant): Instant => clock(wallTime(at));
  });
  return (at) => moves.map((move) => move(at));
};
