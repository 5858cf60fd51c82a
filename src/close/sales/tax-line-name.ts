import { parseRate, RATE_ONE, type Rate } from '../../kernel/rate.ts';
import type { TaxLine, TaxLineKind } from './tax-line.ts';

/** What the name of a line of tax says. */
export type TaxLineName = Pick<TaxLine, 'name' | 'rate' | 'kind' | 'place'>;

/**
 * Read the name of a line of tax: `Colorado Springs City Tax 3.07%`, `LOS ANGELES CO LOCAL TAX SL`,
 * `US-FL-MIAMI-DADE HOMESTEAD : CITY TAX-1`. A name that fits no form is its own place, of no kind.
 *
 * @param level The kind of jurisdiction in the words of the export, where it states it apart from the name
 */
export const taxLineNameOf = (text: string, level = ''): TaxLineName => {
  const { title: name, rate } = withoutRate(text.replace(/\s+/g, ' ').trim());
  const told = ofRateCode(name) ?? jurisdictionOf(name);
  return { name, rate, kind: kindOfLevel(level) ?? told.kind, place: told.place };
};

/** `7.25%`, `7,25 %` and `0.0725` behind a name, or a percentage before it. Rates that are not rates of tax are none. */
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

/** `7.25` or `7,25` percent; `null` when it is not a number, finer than a rate can be, or more than everything. */
export const percentOf = (text: string): Rate | null => {
  const [whole = '', places = ''] = text.trim().replace('%', '').trim().replace(',', '.').split('.');
  const digits = `${whole.padStart(2, '0')}`;
  if (!/^\d+$/.test(digits) || !/^\d*$/.test(places)) return null;
  return rateOf(`${digits.slice(0, -2) || '0'}.${digits.slice(-2)}${places}`);
};

/** `0.0725`, `.0725` or `0,0725`. */
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

/** Words behind the jurisdiction that say that it is a tax, and nothing of whose. */
const TAX_WORDS = /(?:^|[\s/]+)(?:retail|sales|use|local|option|excise|gross|receipts|and|&|tax|taxes)$/i;

const withoutTaxWords = (title: string): string => {
  let core = title.trim();
  while (TAX_WORDS.test(core)) core = core.replace(TAX_WORDS, '').trim();
  return core;
};

const VALUE_ADDED = /^(?:([A-Z]{2}) )?(?:VAT|TVA|MwSt\.?|USt\.?|btw|IVA|GST|HST|CGST|IGST|moms)$/i;

/** `SP` is a special district, `SL` the local tax that is the same in a whole state. */
const LETTERED = /^(.*?)\s*\b(?:district |local )?tax s[pl]$/i;

/** Illinois calls its taxes after who owes them: the state's has nothing before these words. */
const OCCUPATION = /^(.*?)\s*\b(?:retailers['’]?|service)[\s/]+(?:service )?occupation\b.*$/i;

type Form = { readonly kind: TaxLineKind; readonly form: RegExp };

/** Forms of what is left of a name without the words of tax. The place is the first group; the first form that fits. */
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
 * A rate code of WooCommerce: country, state, name and priority joined by hyphens, of which state and name may be
 * missing, and hyphens may stand in the name. The plugins put county and city before the name of every level.
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
