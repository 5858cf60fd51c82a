import type { ScheduleRow } from '../filing/return/schedule-rows.ts';

const LEVELS = { state: 'state', county: 'county', city: 'city', special: 'district' } as const;

/** `MIAMI-DADE` as `Miami-Dade`; a name that is written in small letters too stays as it is. */
const named = (name: string): string =>
  name === name.toUpperCase()
    ? name
        .toLowerCase()
        .replace(
          /(^|[\s\-/(.])(\p{L})/gu,
          (_, before: string, letter: string) => before + letter.toUpperCase(),
        )
    : name;

/** A place as a person writes it: `Houston, Harris`, with the kind of body that levies the tax: `Houston (city)`. */
export const placeWords = ({ name, level, isGap }: Pick<ScheduleRow, 'name' | 'level' | 'isGap'>): string => {
  if (isGap) return name;
  const [area = '', place] = name.split(' / ');
  const words = place === undefined || place === area ? named(area) : `${named(place)}, ${named(area)}`;
  return level === undefined ? words : `${words} (${LEVELS[level]})`;
};
