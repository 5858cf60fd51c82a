import { usRegionCode, usRegionsOfZip } from '../kernel/us-regions.ts';

/** Where orders are sent from. */
export type ShipFrom = {
  readonly zip: string;
  /** The states in which the ZIP code may lie, the likeliest first; one, where the address names it. */
  readonly states: readonly [string, ...string[]];
  readonly city: string;
  readonly street: string;
};

/**
 * Parse a ZIP code alone, or an address that ends in one: `1201 K Street, Sacramento, CA 95814`.
 *
 * @returns a text that says what is wrong if it is neither
 */
export const readShipFrom = (text: string): ShipFrom | string => {
  const address = text.trim().replace(/[\s,]+(?:USA?|United States)$/i, '');
  const [, before = '', zip = ''] = /^(.*?)[\s,]*(\d{5}(?:-\d{4})?)$/s.exec(address) ?? [];
  if (zip === '') return `"${text}" does not end in a ZIP code`;
  const [first, ...others] = usRegionsOfZip(zip);
  if (first === undefined) return `"${zip}" is not a ZIP code in use`;
  const [, rest = '', code = ''] = /^(.*?)[\s,]*\b([A-Za-z]{2})$/s.exec(before) ?? [];
  const state = usRegionCode(code);
  if (state !== undefined && ![first, ...others].includes(state))
    return `${zip} is in ${[first, ...others].join(' or ')}, not in ${state}`;
  const parts = (state === undefined ? before : rest)
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const city = parts.pop() ?? '';
  return { zip, states: state === undefined ? [first, ...others] : [state], city, street: parts.join(', ') };
};
