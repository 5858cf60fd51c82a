const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['NORTH', 'N'],
  ['SOUTH', 'S'],
  ['EAST', 'E'],
  ['WEST', 'W'],
  ['NORTHEAST', 'NE'],
  ['NORTHWEST', 'NW'],
  ['SOUTHEAST', 'SE'],
  ['SOUTHWEST', 'SW'],
  ['ALLEY', 'ALY'],
  ['AVENUE', 'AVE'],
  ['BOULEVARD', 'BLVD'],
  ['CIRCLE', 'CIR'],
  ['COURT', 'CT'],
  ['COVE', 'CV'],
  ['CROSSING', 'XING'],
  ['DRIVE', 'DR'],
  ['EXPRESSWAY', 'EXPY'],
  ['FREEWAY', 'FWY'],
  ['HIGHWAY', 'HWY'],
  ['LANE', 'LN'],
  ['PARKWAY', 'PKWY'],
  ['PLACE', 'PL'],
  ['PLAZA', 'PLZ'],
  ['POINT', 'PT'],
  ['RIDGE', 'RDG'],
  ['ROAD', 'RD'],
  ['SQUARE', 'SQ'],
  ['STREET', 'ST'],
  ['TERRACE', 'TER'],
  ['TRAIL', 'TRL'],
  ['TURNPIKE', 'TPKE'],
]);

/** Return the form in which street names are compared: upper case, no punctuation, short forms of the post office. */
export const streetKey = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[.,#']/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => SHORT_FORMS.get(word) ?? word)
    .join(' ');

/** Words that are followed only by the number of the flat, suite or floor. */
const UNIT_WORDS = /\s(?:APT|UNIT|STE|SUITE|FL|FLOOR|RM|ROOM|BLDG|LOT)\s.*$/;

/** From the house number to a comma or a number sign, which is followed by a flat or by the city. */
const NUMBER_AND_STREET = /^\s*\d\S*\s+[^,#]*/;

/** Read the house number and street of an address line; `undefined` when it does not begin with a number. */
export const parseStreet = (
  line: string,
): { readonly number: number; readonly street: string } | undefined => {
  const [text = line] = NUMBER_AND_STREET.exec(line) ?? [];
  const parts = /^(\d{1,7})[A-Z]?(?:\s\d\/\d)?\s+(.+)$/.exec(streetKey(text));
  if (!parts) return undefined;
  return { number: Number(parts[1]), street: (parts[2] ?? '').replace(UNIT_WORDS, '') };
};
