const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['NORTH', 'N'],
  ['SOUTH', 'S'],
  ['EAST', 'E'],
  ['WEST', 'W'],
  ['NORTHEAST', 'NE'],
  ['NORTHWEST', 'NW'],
  ['SOUTHEAST', 'SE'],
  ['SOUTHWEST', 'SW'],
  ['AVENUE', 'AVE'],
  ['BOULEVARD', 'BLVD'],
  ['CIRCLE', 'CIR'],
  ['COURT', 'CT'],
  ['DRIVE', 'DR'],
  ['HIGHWAY', 'HWY'],
  ['LANE', 'LN'],
  ['PARKWAY', 'PKWY'],
  ['PLACE', 'PL'],
  ['ROAD', 'RD'],
  ['SQUARE', 'SQ'],
  ['STREET', 'ST'],
  ['TERRACE', 'TER'],
  ['TRAIL', 'TRL'],
]);

/** The form under which street names are compared: upper case, no punctuation, short forms of the post office. */
export const streetKey = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[.,#']/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => SHORT_FORMS.get(word) ?? word)
    .join(' ');

/** Words after which only the flat, suite or floor follows. */
const UNIT_WORDS = /\s(?:APT|UNIT|STE|SUITE|FL|FLOOR|RM|ROOM|BLDG|LOT)\s.*$/;

/** House number and street of an address line; `undefined` when it does not begin with a number. */
export const parseStreet = (
  line: string,
): { readonly number: number; readonly street: string } | undefined => {
  const parts = /^(\d{1,7})[A-Z]?\s+(.+)$/.exec(streetKey(line));
  if (!parts) return undefined;
  return { number: Number(parts[1]), street: (parts[2] ?? '').replace(UNIT_WORDS, '') };
};
