import { type ChannelSetAside, type Rejects, recordsOf } from '../books/files-to-fill-in.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import type { Exports } from '../read/shapes.ts';

/** The records that are set aside in the period, or without a date, by channel and place. */
export const asidesOf = ({ asides, undated }: Exports, period: FilingPeriod): readonly ChannelSetAside[] => {
  const all = [...undated];
  for (const day of asides.days()) {
    if (!isWithin(period, day)) continue;
    all.push(...asides.read(day));
  }
  return all.sort(byPlace);
};

const byPlace = (one: ChannelSetAside, other: ChannelSetAside): number =>
  compareText(one.channel, other.channel) ||
  compareText(one.origin.file, other.origin.file) ||
  one.origin.line - other.origin.line;

/** The rejected records of each input that has some. */
export const rejectsOf = (
  { inputs, headers }: Exports,
  asides: readonly ChannelSetAside[],
): readonly Rejects[] => {
  const rejected = asides.filter(({ outcome }) => outcome === 'rejected');
  return inputs
    .map(({ channel, path, sha256 }) => {
      const header = headers.get(`${channel}/${path}`) ?? [];
      return { channel, path, sha256, header, records: recordsOf(rejected, channel, path) };
    })
    .filter(({ records }) => records.length > 0);
};
