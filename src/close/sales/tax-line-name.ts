import { parseRate, RATE_ONE, type Rate } from '../../kernel/money.ts';
import { remembered } from './remembered.ts';
import { saleWords } from './sale-words.ts';
import type { TaxLine, TaxLineKind } from './tax-line.ts';

/** The parts of a tax line's name. */
export type TaxLineName = Pick<TaxLine, 'name' | 'rate' | 'kind' | 'place'>;

/**
 * Parse the name of a tax line: `Colorado Springs City Tax 3.07%`, `LOS ANGELES CO LOCAL TAX SL`,
 * `US-FL-MIAMI-DADE HOMESTEAD : CITY TAX-1`. A name in no known form is its own place, without a kind.
 *
 * @param level the kind of jurisdiction in the export's words, if stated apart from the name
 */
export const taxLineNameOf = (text: string, level = ''): TaxLineName => {
  const { title: name, rate } = withoutRate(text.replace(/\s+/g, ' ').trim());
  const told = ofRateCode(name) ?? jurisdictionOf(name);
  return { name, rate, kind: kindOfLevel(level) ?? told.kind, place: told.place };
};

/**
 * Split off the rate: `7.25%`, `7,25 %` or `0.0725` after a name, or a percentage before it. Values that cannot be tax
 * rates are not taken as such.
 */
const withoutRate = (text: string): { readonly title: string; readonly rate: Rate | null } => {
  const percents = [...text.matchAll(/\(?@?\s*(\d+(?:[.,]\d+)?)\s?(?:%|percent\b)\s*\)?/gi)];
  const [only] = percents;
  if (only) {
    const rate = percents.length === 1 ? percentOf(only[1] ?? '') : null;
    const title = `${text.slice(0, only.index)} ${text.slice(only.index + only[0].length)}`;
    return { title: rate === null ? text : tidied(title), rate };
  }
  const fraction = /^(.*\S)\s+\(?(0?[.,]\d{2,7})\)?$/.exec(text);
  const rate = fractionOf(fraction?.[2] ?? '');
  return { title: rate === null ? text : tidied(fraction?.[1] ?? ''), rate };
};

const tidied = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-–:,@]+|[\s\-–:,@]+$/g, '')
    .trim();

/** Parse `7.25` or `7,25` percent; `null` if it is not a number, has too many decimals, or exceeds 100 %. */
export const percentOf = (text: string): Rate | null => {
  const [whole = '', places = ''] = text.trim().replace('%', '').trim().replace(',', '.').split('.');
  const digits = `${whole.padStart(2, '0')}`;
  if (!/^\d+$/.test(digits) || !/^\d*$/.test(places)) return null;
  return rateOf(`${digits.slice(0, -2) || '0'}.${digits.slice(-2)}${places}`);
};

/** Parse `0.0725`, `.0725` or `0,0725`. */
export const fractionOf = (text: string): Rate | null =>
  rateOf(text.trim().replace(',', '.').replace(/^\./, '0.'));

const rateOf = (text: string): Rate | null => {
  const found = parseRate(text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''));
  return found === undefined || found < 0 || found > RATE_ONE ? null : found;
};

const kindOfLevel = (level: string): TaxLineKind | null =>
  saleWords().taxes.levels.find(({ form }) => like(form).test(level.trim()))?.kind ?? null;

type Told = Pick<TaxLine, 'kind' | 'place'>;

/** The regular expression of a form, compiled once. */
const like = remembered((form) => new RegExp(form, 'i'));

const withoutTaxWords = (title: string): string => {
  const words = like(saleWords().taxes.words);
  let core = title.trim();
  while (words.test(core)) core = core.replace(words, '').trim();
  return core;
};

/**
 * Parse a rate code of WooCommerce: country, state, name and priority, separated by hyphens. State and name may be
 * missing, and a name may contain hyphens. Plugins put county and city before the name at every level.
 */
const ofRateCode = (text: string): Told | undefined => {
  const code = /^[A-Z]{2}(?:-([A-Z]{2})(?=-| :))?[- ]+(.*?)-\d+$/.exec(text);
  if (!code) return undefined;
  const [, state = '', name = ''] = code;
  const { kind, place } = jurisdictionOf(name.replace(/\s*:\s*/g, ' ').trim());
  const isOfState = kind === 'state' || (kind === null && place === '');
  return { kind, place: isOfState ? state : place };
};

const jurisdictionOf = (title: string): Told => {
  const { whole, occupation, forms } = saleWords().taxes;
  for (const { kind, form } of whole) {
    const found = like(form).exec(title);
    if (found) return { kind, place: tidied(found[1] ?? '') };
  }
  const ofOccupation = like(occupation).exec(title);
  const core = withoutTaxWords(tidied(ofOccupation ? (ofOccupation[1] ?? '') : title));
  for (const { kind, form } of forms) {
    const found = like(form).exec(core);
    if (found) return { kind, place: tidied(found[1] ?? '') };
  }
  return { kind: ofOccupation && core === '' ? 'state' : null, place: core };
};
