import { compareText } from '../../kernel/compare-text.ts';
import type { Sale } from '../sales/sale.ts';

/** Items whose SKUs share a prefix. `guess` is set if nearly all their names suggest one category. */
export type SkuGroup = {
  /** A pattern of SKUs, such as `APP-*`. */
  readonly sku: string;
  readonly lines: number;
  /** The most frequent item name. */
  readonly example: string;
  readonly guess: GuessedCategory | undefined;
};

/** Percentage of a group's lines that must suggest the same category. */
const AGREEING_PERCENT = 80;

/** Group the lines of sales by SKU prefix, the most frequent first. */
export const guessCategories = (sales: readonly Sale[]): readonly SkuGroup[] => {
  const groups = new Map<string, Map<string, number>>();
  for (const { lines } of sales) {
    for (const { sku, description } of lines) {
      const [prefix] = /^[a-z]{2,}[-_.]?(?=.)/i.exec(sku) ?? [];
      if (prefix === undefined) continue;
      const names = groups.get(prefix) ?? new Map<string, number>();
      names.set(description, (names.get(description) ?? 0) + 1);
      groups.set(prefix, names);
    }
  }
  return [...groups]
    .map(([prefix, names]) => groupOf(`${prefix}*`, names))
    .sort((left, right) => right.lines - left.lines || compareText(left.sku, right.sku));
};

const groupOf = (sku: string, names: ReadonlyMap<string, number>): SkuGroup => {
  const lines = [...names.values()].reduce((total, count) => total + count, 0);
  const [[example = ''] = []] = [...names].sort(([, left], [, right]) => right - left);
  const byCode = new Map<string, { readonly guess: GuessedCategory; count: number }>();
  for (const [name, count] of names) {
    const guess = categoryOfName(name);
    if (!guess) continue;
    const found = byCode.get(guess.code) ?? { guess, count: 0 };
    found.count += count;
    byCode.set(guess.code, found);
  }
  const agreed = [...byCode.values()].find(({ count }) => count * 100 >= lines * AGREEING_PERCENT);
  return { sku, lines, example, guess: agreed?.guess };
};

/**
 * Words in item names that suggest a product tax code of the content (`tieout content` lists the codes). They are
 * guesses for a first configuration, never a tax rule; the configuration marks each guess for a person to check.
 */
const WORDS: readonly (readonly [code: string, what: string, words: string])[] = [
  ['20041', 'swimwear', 'swimsuit|bikini|swim trunks?|swimwear'],
  [
    '20010',
    'clothing',
    't-?shirts?|shirts?|tees?|hoodies?|sweaters?|sweatshirts?|jackets?|parkas?|coats?|pants|jeans|shorts|skirts?|dress(?:es)?|socks?|hats?|beanies?|caps?|scarf|scarves|gloves|mittens|shoes|boots|sandals|sneakers|leggings|blouses?|vests?|pajamas|underwear',
  ],
  ['40010', 'candy', 'candy|candies|chocolates?|caramels?|gumm(?:y|ies)|toffees?|fudge|lollipops?'],
  [
    '40020',
    'dietary supplements',
    'vitamins?|multivitamins?|supplements?|probiotics?|collagen|protein powder',
  ],
  ['40060', 'bottled water', '(?:bottled|spring|mineral) water'],
  ['40050', 'soft drinks', 'sodas?|cola|soft drinks?|root beer'],
  [
    '40030',
    'groceries',
    'coffee|teas?|honey|syrup|jams?|preserves|flour|rice|pasta|olive oil|granola|spices?|sauces?|cereal|cookies|bread|cheese|nuts|almonds|beans|oats|salt|vinegar',
  ],
  ['51010', 'over-the-counter medicine', 'ibuprofen|aspirin|acetaminophen|antihistamine|cough syrup'],
  ['31000', 'digital goods', 'e-?books?|downloads?|mp3|digital (?:download|edition|album)'],
  ['81110', 'textbooks', 'textbooks?'],
  ['81100', 'books', 'books?|novels?|cookbooks?|paperbacks?|hardcovers?|field guides?'],
  ['81310', 'magazines', 'magazines?'],
];

const PATTERNS = WORDS.map(([code, what, words]) => ({
  code,
  what,
  pattern: new RegExp(`\\b(?:${words})\\b`, 'i'),
}));

/** Accessories that are not the goods themselves: a coffee mug, a coat rack. */
const OTHER_THINGS =
  /\b(?:kit|mug|maker|grinder|rack|hanger|holder|box|stand|press|plate|board|cup|table|case|bag|filter|poster|print|rest|mark)s?\b/i;

type GuessedCategory = { readonly code: string; readonly what: string };

/** Return the category that an item name suggests. */
const categoryOfName = (name: string): GuessedCategory | undefined =>
  OTHER_THINGS.test(name) ? undefined : PATTERNS.find(({ pattern }) => pattern.test(name));
