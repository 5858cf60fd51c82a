import type { ScheduleRow } from '../filing/form-lines.ts';

const LEVELS = { state: 'state', county: 'county', city: 'city', special: 'district' } as const;

/** Converts `MIAMI-DADE` to `Miami-Dade`; a name that has lower-case letters stays as it is. */
const named = (name: string): string =>
  name === name.toUpperCase()
    ? name
        .toLowerCase()
        .replace(
          /(^|[\s\-/(.])(\p{L})/gu,
          (_, before: string, letter: string) => before + letter.toUpperCase(),
        )
    : name;

/**
 * Writes a place as people do: `Houston, Harris`, or with the level of the body that levies the tax: `Houston (city)`.
 */
export const placeWords = ({ name, level, isGap }: Pick<ScheduleRow, 'name' | 'level' | 'isGap'>): string => {
  if (isGap) return name;
  const [area = '', place] = name.split(' / ');
  const words = place === undefined || place === area ? named(area) : `${named(place)}, ${named(area)}`;
  return level === undefined ? words : `${words} (${LEVELS[level]})`;
};
