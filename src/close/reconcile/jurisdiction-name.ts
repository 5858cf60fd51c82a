import { usRegionCode } from '../../kernel/us-regions.ts';
import { remembered } from '../sales/remembered.ts';

/** Abbreviations that some sources spell out. */
const SPELLINGS: Readonly<Record<string, string>> = {
  st: 'saint',
  ste: 'sainte',
  ft: 'fort',
  mt: 'mount',
  mtn: 'mountain',
  n: 'north',
  s: 'south',
  e: 'east',
  w: 'west',
  hts: 'heights',
  spgs: 'springs',
};

/** Words for the kind of a place, which sources often omit. */
const KINDS = new Set(['county', 'co', 'parish', 'borough', 'city', 'town', 'township', 'village']);

/**
 * Normalize a place name: no accents, capitals or punctuation, `Saint` for `St.`, and no `County`, `City` or `City of`.
 */
export const normalJurisdiction = remembered((name) => {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:city and county|city|county|town|township|village|parish|borough) of /, '')
    .split(' ')
    .map((word) => SPELLINGS[word] ?? word);
  while (words.length > 1 && KINDS.has(words.at(-1) ?? '')) words.pop();
  // `DeKalb`, `De Kalb`, `LaSalle`: sources divide the words differently.
  return words.join('');
});

/** Whether two names mean the same place; an empty name matches nothing. */
export const isSamePlace = (left: string, right: string): boolean => {
  const name = normalJurisdiction(left);
  return name !== '' && name === normalJurisdiction(right);
};

/** Whether a name or code is that of a state. */
export const isSameState = (name: string, state: string): boolean => {
  const code = regionOf(name.replaceAll('.', ''));
  return code !== '' && code === regionOf(state);
};

const regionOf = remembered((text) => usRegionCode(text) ?? '');
