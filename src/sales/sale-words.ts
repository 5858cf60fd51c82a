import type { Money } from '../kernel/money.ts';
import { once } from '../kernel/once.ts';
import type { SalesProfile } from './profile.ts';
import type { Place, SaleFinding } from './sale.ts';
import { data, type SaleWords } from './sale-words.data.ts';
import { remembered } from './table-row.ts';

/** Return the words that come with Tieout, reading them only once. */
export const saleWords = once(data);

/** A text for comparison: small letters without accents, and one blank for all that is neither letter nor digit. */
const plainWords = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a plain text has these words; other scripts write them without blanks. */
const hasWords = (text: string, words: string): boolean =>
  words !== '' && (/[^ -~]/.test(words) ? text.includes(words) : ` ${text} `.includes(` ${words} `));

const without = (text: string, words: string): string => ` ${text} `.replace(` ${words} `, ' ').trim();

/**
 * What a shipping method says of a pickup: that the buyer came to the store, with the name of the place of business if
 * it has one; that it may be so; or nothing.
 */
type Pickup = { readonly at: string } | 'unclear' | 'none';

export type SellerPlaces = {
  /** The place of in-person sales. */
  readonly sellerPlace: Place;
  /** The places of business, by their names in the source. */
  readonly locations: Readonly<Record<string, Place>>;
  /** The places of business that records of the channel have named so far, where none is configured. */
  readonly shops: Set<string>;
};

/** Return a function that tells a pickup by the whole text of a shipping method. `own` are the shop's own words. */
export const pickupReader = (
  own: readonly string[],
  { locations, sellerPlace }: SellerPlaces,
): ((method: string) => Pickup) => {
  const { whole, unclear } = saleWords().pickup;
  const methods = new Set([...whole, ...own.map(plainWords)]);
  const places = Object.entries(locations);
  const named = (places.length > 0 ? places : [['', sellerPlace] as const]).flatMap(([name, { city }]) =>
    [name, city].map((words) => ({ name, words: plainWords(words) })),
  );
  return remembered((method) => {
    const text = plainWords(method);
    if (methods.has(text)) return { at: '' };
    const found = named.filter(({ words }) => hasWords(text, words) && methods.has(without(text, words)));
    const names = new Set(found.map(({ name }) => name));
    if (names.size > 0) return { at: names.size === 1 ? ([...names][0] ?? '') : '' };
    return unclear.some((words) => hasWords(text, words)) ? 'unclear' : 'none';
  });
};

/**
 * Return a function that tells by the whole text of a source or channel who sold an order: a marketplace that collects
 * the tax, or the seller by one of its own ways to pay. `unclear` has the name of a marketplace among other words.
 *
 * @param shops the sources of the shop itself; where they are listed, any source that is not known is unclear, too
 */
export const sellerReader = (
  shops?: readonly string[],
): ((source: string) => 'facilitator' | 'own' | 'unclear' | 'none') => {
  const { facilitators, own, unclear } = saleWords().sellers;
  const known = new Set(shops?.map(plainWords));
  return remembered((source) => {
    const text = plainWords(source);
    if (facilitators.includes(text)) return 'facilitator';
    if (own.includes(text)) return 'own';
    if (shops) return known.has(text) ? 'none' : 'unclear';
    const rest = own.reduce(without, text);
    return unclear.some((words) => hasWords(rest, words)) ? 'unclear' : 'none';
  });
};

/** What a fee is by its name and sign; `undefined` if no words of the name are known. */
export const feeKindOf = (name: string, amount: Money): SaleWords['fees'][number]['kind'] | undefined => {
  const text = plainWords(name);
  const sign = amount < 0 ? 'negative' : 'positive';
  return saleWords().fees.find((row) => row.sign === sign && row.words.some((words) => hasWords(text, words)))
    ?.kind;
};

/** What an export says of an item, by which the configuration gives it a category; empty where it says nothing. */
export type Item = Readonly<Record<'sku' | 'name' | 'category', string>>;

/** An entry of the configuration: patterns, all of which fit an item of this code. */
type ProductCategory = { readonly code: string } & {
  readonly [Said in keyof Item]?: string | undefined;
};

const SAID = ['sku', 'name', 'category'] as const;

/**
 * Return a function that finds the category code of an item: the first entry all of whose patterns match decides;
 * `null` if none matches.
 */
export const productCategories = (
  categories: readonly ProductCategory[],
): ((item: Item) => string | null) => {
  const entries = categories.map(({ code, ...entry }) => ({
    code,
    patterns: SAID.flatMap((said) => {
      const pattern = entry[said];
      return pattern === undefined ? [] : [{ said, isLike: patternOf(pattern) }];
    }),
  }));
  const codeOf = remembered((text) => {
    const item = JSON.parse(text) as Item;
    const found = entries.find(({ patterns }) =>
      patterns.every(({ said, isLike }) => isLike.test(item[said])),
    );
    return found?.code ?? null;
  });
  return ({ sku, name, category }) =>
    entries.length === 0 ? null : codeOf(JSON.stringify({ sku, name, category }));
};

/** The notice that entries by the channel's own category cannot fit, since the export has none. */
export const withoutCategories = (
  categories: readonly ProductCategory[],
  { map }: Pick<SalesProfile, 'map'>,
): readonly SaleFinding[] => {
  const lost = categories.flatMap(({ category }) => category ?? []);
  if (lost.length === 0 || map.line?.category !== undefined) return [];
  const message = `no column of it is known to have the category of an item, so ${lost.map((one) => `"${one}"`).join(', ')} of \`categories\` fits none`;
  return [{ code: 'no-category-column', message }];
};

/** A pattern as a regular expression: `*` stands for any run of characters, and capitals make no difference. */
const patternOf = (pattern: string): RegExp => {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 'i');
};

const ENTITY = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}));/gi;

/** Whether a code is a valid character: neither a control character nor a surrogate. */
const isCharacter = (code: number): boolean =>
  code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);

/**
 * Decode HTML entities, so that the text reads as it did in the shop: `Salt &amp; Pepper` becomes Salt & Pepper.
 * Unknown entities stay.
 */
export const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(ENTITY, (entity, decimal?: string, hexadecimal?: string, name?: string) => {
        if (name !== undefined) return saleWords().entities[name] ?? entity;
        const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
        return isCharacter(code) ? String.fromCodePoint(code) : entity;
      })
    : text;
