const FIELDS = 89;

/** A line of a Streamlined boundary file from the cells that it has, by the numbers of their fields. */
export const boundaryLine = (cells: Readonly<Record<number, string>>): string => {
  const always: Readonly<Record<number, string>> = {
    2: '20240101',
    3: '29991231',
    23: '31',
    24: '31',
    25: '055',
  };
  const all = { ...always, ...cells };
  return Array.from({ length: FIELDS }, (_, index) => all[index + 1] ?? '').join(',');
};

/** A ZIP, or several in a row, as a whole. */
export const zipLine = (low: string, high: string, cells: Readonly<Record<number, string>> = {}): string =>
  boundaryLine({ 1: 'Z', 18: low, 20: high, ...cells });

/** A range of ZIP+4, as `68102-0100`. */
export const codeLine = (low: string, high: string, cells: Readonly<Record<number, string>> = {}): string => {
  const [zipLow = '', plus4Low = ''] = low.split('-');
  const [zipHigh = '', plus4High = ''] = high.split('-');
  return boundaryLine({
    1: '4',
    18: zipLow,
    19: plus4Low,
    20: zipHigh,
    21: plus4High,
    ...cells,
  });
};

/** House numbers of North Madeup Street. */
export const houseLine = (
  [low, high, side]: readonly [string, string, string],
  cells: Readonly<Record<number, string>> = {},
): string =>
  boundaryLine({
    1: 'A',
    4: low,
    5: high,
    6: side,
    7: 'N',
    8: 'MADEUP',
    9: 'ST',
    16: '68102',
    ...cells,
  });
