import type { Money } from '../../kernel/money.ts';
import type { SellerPlaces } from './read-ship-to.ts';
import { remembered } from './remembered.ts';
import { data, type SaleWords } from './sale-words.data.ts';

let known: SaleWords | undefined;

/** Return the words that come with Tieout, reading them only once. */
export const saleWords = (): SaleWords => {
  known ??= data();
  return known;
};

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
export type Pickup = { readonly at: string } | 'unclear' | 'none';

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
 * Tell by the whole text of a source or channel who sold an order: a marketplace that collects the tax, or the seller
 * by one of its own ways to pay. `unclear` has the name of a marketplace among other words.
 */
export const sellerIn = remembered((source): 'facilitator' | 'own' | 'unclear' | 'none' => {
  const { facilitators, own, unclear } = saleWords().sellers;
  const text = plainWords(source);
  if (facilitators.includes(text)) return 'facilitator';
  if (own.includes(text)) return 'own';
  const rest = own.reduce(without, text);
  return unclear.some((words) => hasWords(rest, words)) ? 'unclear' : 'none';
});

/** What a fee is by its name and sign; `undefined` if no words of the name are known. */
export const feeKindOf = (name: string, amount: Money): SaleWords['fees'][number]['kind'] | undefined => {
  const text = plainWords(name);
  const sign = amount < 0 ? 'negative' : 'positive';
  return saleWords().fees.find((row) => row.sign === sign && row.words.some((words) => hasWords(text, words)))
    ?.kind;
};
