/**
 * Words in names of goods that suggest a product tax code of the content (`tieout content` lists the codes). A guess
 * for a first configuration, never a rule of tax: what is written of it is marked for a person to check.
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

/** Things for such goods, which are not one of them: a coffee mug, a coat rack. */
const OTHER_THINGS =
  /\b(?:kit|mug|maker|grinder|rack|hanger|holder|box|stand|press|plate|board|cup|table|case|bag|filter|poster|print|rest|mark)s?\b/i;

export type GuessedCategory = { readonly code: string; readonly what: string };

/** The category that the name of an item suggests. */
export const categoryOfName = (name: string): GuessedCategory | undefined =>
  OTHER_THINGS.test(name) ? undefined : PATTERNS.find(({ pattern }) => pattern.test(name));
