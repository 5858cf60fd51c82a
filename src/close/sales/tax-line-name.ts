import { parseRate, RATE_ONE, type Rate } from '../../kernel/rate.ts';
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

const LEVELS: readonly (readonly [TaxLineKind, RegExp])[] = [
  ['country', /^(?:country|cnt|national|federal)$/i],
  ['state', /^(?:state|sta|province|region)$/i],
  ['county', /^(?:county|cty|parish)$/i],
  ['city', /^(?:city|cit|municipality|municipal|town)$/i],
  ['special', /^(?:district|special|stj|special tax|special[ _]district|local|other)$/i],
];

const kindOfLevel = (level: string): TaxLineKind | null =>
  LEVELS.find(([, words]) => words.test(level.trim()))?.[0] ?? null;

type Told = Pick<TaxLine, 'kind' | 'place'>;

/** Words after the jurisdiction that only say that it is a tax. */
const TAX_WORDS = /(?:^|[\s/]+)(?:retail|sales|use|local|option|excise|gross|receipts|and|&|tax|taxes)$/i;

const withoutTaxWords = (title: string): string => {
  let core = title.trim();
  while (TAX_WORDS.test(core)) core = core.replace(TAX_WORDS, '').trim();
  return core;
};

const VALUE_ADDED = /^(?:([A-Z]{2}) )?(?:VAT|TVA|MwSt\.?|USt\.?|btw|IVA|GST|HST|CGST|IGST|moms)$/i;

/** `SP` is a special district; `SL` is the local tax that is uniform throughout a state. */
const LETTERED = /^(.*?)\s*\b(?:district |local )?tax s[pl]$/i;

/** Illinois names taxes by the taxpayer's occupation. No place precedes these words in the name of the state's tax. */
const OCCUPATION = /^(.*?)\s*\b(?:retailers['’]?|service)[\s/]+(?:service )?occupation\b.*$/i;

type Form = { readonly kind: TaxLineKind; readonly form: RegExp };

/** Forms of a name without its tax words. The first group is the place; the first matching form decides. */
const FORMS: readonly Form[] = [
  { kind: 'special', form: /^(.*?)\s*\bspecial$/i },
  {
    kind: 'special',
    form: /^(.*\b(?:district|districts|dist|dst|authority|auth|ptba|splost|tsplost|lost|rta|mta|mctd|rtd|smart|transit|transportation|stadium|hospital|library|school|fire|ambulance|improvement|cid|tdd|tdz|esd|metro)\b\.?\)?)$/i,
  },
  { kind: 'city', form: /^(?:city and county|city|town|township|village|municipality) of (.+)$/i },
  { kind: 'county', form: /^(?:county|parish|borough) of (.+)$/i },
  { kind: 'state', form: /^state of (.+)$/i },
  { kind: 'county', form: /^(.*?)\s*\b(?:county|parish|borough)(?: home rule)?$/i },
  { kind: 'county', form: /^(.+?)\s+co\.?$/i },
  { kind: 'city', form: /^(.*?)\s*\b(?:home rule municipal|home rule)$/i },
  { kind: 'city', form: /^(.*?)\s*\b(?:city|municipal|municipality|town|township|village)$/i },
  { kind: 'state', form: /^(.*?)\s*\bstate$/i },
];

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
  const valueAdded = VALUE_ADDED.exec(title);
  if (valueAdded) return { kind: 'country', place: valueAdded[1] ?? '' };
  const lettered = LETTERED.exec(title);
  if (lettered) return { kind: 'special', place: tidied(lettered[1] ?? '') };
  const occupation = OCCUPATION.exec(title);
  const core = withoutTaxWords(tidied(occupation ? (occupation[1] ?? '') : title));
  for (const { kind, form } of FORMS) {
    const found = form.exec(core);
    if (found) return { kind, place: tidied(found[1] ?? '') };
  }
  return { kind: occupation && core === '' ? 'state' : null, place: core };
};
