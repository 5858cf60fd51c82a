import { usRegionCode } from '../../../kernel/us-regions.ts';
import { columnWords } from '../files/normal-column.ts';
import { dateFormsOf } from './date-forms.ts';
import { amountOf } from './sample-amounts.ts';

/** A column of a sample: its name, and its cells row by row. */
export type SampleColumn = { readonly name: string; readonly cells: readonly string[] };

type Test = (cells: readonly string[]) => boolean;

/** Cells that say yes or no, which amounts of 0 and 1 look like. */
const YES_OR_NO = /^(?:0|1|y|n|yes|no|true|false)$/i;

/** Whether a column answers a question in each row: by its name, or by its cells, unless these are nothing but zeros. */
export const isFlag = ({ name, cells }: SampleColumn): boolean => {
  const filled = filledOf(cells);
  return (
    /\?\s*$/.test(name) ||
    (filled.some((cell) => cell !== '0') && filled.every((cell) => YES_OR_NO.test(cell)))
  );
};

/** Whether a cell of such a column says yes. */
export const saysYes = (cell: string): boolean => /^(?:1|y|yes|true)$/i.test(cell);

const areAmounts: Test = (cells) => cells.every((cell) => amountOf(cell) !== undefined);
const areCounts: Test = (cells) => cells.every((cell) => /^-?\d+(?:\.0+)?$/.test(cell));
const areDates: Test = (cells) => dateFormsOf(cells).length > 0;
/** Sales abroad name other regions, so half of the cells are enough. */
const areStates: Test = (cells) =>
  cells.filter((cell) => usRegionCode(cell) !== undefined).length * 2 >= cells.length;
const areKinds: Test = (cells) => cells.length > 0 && new Set(cells).size <= KINDS_MAX;
const areTexts: Test = () => true;
const areFilled: Test = (cells) => cells.length > 0;

/** More different values than these are not kinds of rows. */
const KINDS_MAX = 20;

type Sought = { readonly cells: Test; readonly words: readonly RegExp[]; readonly never?: RegExp };

const ofPlace = (words: string, cells: Test): Sought => ({
  cells,
  words: [
    new RegExp(`^(?:ship|deliver)\\w*\\b.*\\b(?:${words})\\b`),
    new RegExp(`^(?:${words})(?: code)?$`),
    new RegExp(`\\b(?:${words})\\b`),
  ],
  never: /\b(?:tax(?:es)?|bill\w*|e-?mail|ip|status)\b/,
});

/** What a profile needs columns for: the words that exports use, the best first, and what the cells have to be. */
const SOUGHT = {
  id: {
    cells: areTexts,
    words: [
      /^(?:order|invoice|receipt|sale|transaction|doc(?:ument)?)(?: ?(?:id|no\.?|num|number|#))?$/,
      /\b(?:order|po|invoice|receipt|sale|transaction|purchase|doc)(?: ?#| (?:id|no|num|number)\b)/,
      /^(?:id|no\.?|num|number|name)$/,
    ],
    never: /\b(?:orig\w*|parent|related|refund\w*|of)\b/,
  },
  date: {
    cells: areDates,
    words: [
      /^(?:order|sale|invoice|transaction|purchase|created|doc(?:ument)?)\w* ?(?:time|at)\b/,
      /^(?:order|sale|invoice|transaction|purchase|created|doc(?:ument)?)\w* ?(?:date|on)\b/,
      /^(?:date|time)\b/,
      /\b(?:date|time)\b/,
      /./,
    ],
  },
  status: {
    cells: areKinds,
    words: [/^(?:order |financial |transaction |doc(?:ument)? |sale |record |event )?(?:status|type|kind)$/],
  },
  currency: { cells: areFilled, words: [/^curr(?:ency)?(?: code)?$/, /\bcurrency\b/], never: /rate/ },
  country: ofPlace('country', areTexts),
  state: ofPlace('state|province|region|st', areStates),
  zip: ofPlace('zip|zipcode|postal|postcode|post', areTexts),
  city: ofPlace('city|town|suburb', areTexts),
  street: ofPlace('street|address(?: ?(?:line)? ?1)?', areTexts),
  tax: {
    cells: areAmounts,
    words: [/^(?:total )?(?:sales )?tax(?:es)?(?: (?:total|amount|collected|charged))?$/, /\btax(?:es)?\b/],
    never:
      /\b(?:rate|id|no|incl\w*|excl\w*|before|pre|ex|without|after|with|net|exempt|refund\w*|ship\w*|freight)\b|%/,
  },
  shipping: {
    cells: areAmounts,
    words: [
      /^(?:total )?(?:shipping|freight|delivery|postage)(?: (?:amount|cost|charge|fee|total|price))?$/,
      /\b(?:shipping|freight|delivery|postage)\b/,
    ],
    never: /\b(?:tax(?:es)?|disc\w*)$|\b(?:incl\w*|refund\w*)\b/,
  },
  refunded: {
    cells: areAmounts,
    words: [/\brefund(?:ed|s)?\b/],
    never: /\b(?:of|for|date|reason|status|type|id|no|number|by|tax(?:es)?)\b/,
  },
  goods: {
    cells: areAmounts,
    words: [
      /^sub ?-?total$/,
      /\b(?:before|pre|excl?\w*|without|net of)\b.*\btax/,
      /^(?:net|goods|items?|products?|line|row) (?:net|sales|total|amount|value)$/,
      /\bsub ?-?total\b/,
    ],
    never: /\b(?:unit|each|ship\w*|freight|disc\w*)\b/,
  },
  total: {
    cells: areAmounts,
    words: [
      /^(?:order|grand|invoice|transaction|sale|doc(?:ument)?) (?:total|amount|value)$/,
      /^total$/,
      /\btotal\b/,
      /^(?:gross|amount)$/,
    ],
    never: /\b(?:sub|before|pre|excl?\w*|without|refund\w*)\b/,
  },
  quantity: { cells: areCounts, words: [/^(?:line |item )?(?:quantity|qty)$/, /\b(?:quantity|qty|units)\b/] },
  price: {
    cells: areAmounts,
    words: [/\bunit\b.*\b(?:price|cost|amount)\b/, /\b(?:price|cost)\b/, /\bamount\b/],
    never: /\b(?:tax(?:es)?|ship\w*|disc\w*|total)\b/,
  },
  description: {
    cells: areTexts,
    words: [
      /^(?:line ?item |item |product )?(?:name|title|description|text)$/,
      /\b(?:item|product|article|description)\b/,
    ],
    never: /\b(?:id|sku|code|no|number|price|cost|type|disc\w*)\b|#/,
  },
  sku: { cells: areTexts, words: [/\bsku\b/, /\b(?:item|product) (?:id|code|no|number)\b/, /\bupc\b/] },
} satisfies Record<string, Sought>;

export type Meaning = keyof typeof SOUGHT;
export type Guess = Partial<Record<Meaning, SampleColumn>>;

/**
 * Guess the column of each meaning by the words of its name, where its cells can have that meaning. Each column is used
 * once; of several, one with cells goes before one without.
 */
export const guessColumns = (columns: readonly SampleColumn[]): Guess => {
  const guess: Guess = {};
  const free = new Set(columns.filter(({ name }) => name !== ''));
  for (const [meaning, sought] of Object.entries(SOUGHT) as [Meaning, Sought][]) {
    const column = bestOf([...free], sought);
    if (!column) continue;
    guess[meaning] = column;
    free.delete(column);
  }
  return guess;
};

const bestOf = (free: readonly SampleColumn[], { cells, words, never }: Sought): SampleColumn | undefined => {
  const fitting = free.filter((column) => {
    const isAmount = cells === areAmounts || cells === areCounts;
    return !(isAmount && isFlag(column) && cells !== areCounts) && cells(filledOf(column.cells));
  });
  for (const word of words) {
    const named = fitting.filter(({ name }) => word.test(wordsOf(name)) && !never?.test(wordsOf(name)));
    const [first] = named;
    if (first) return named.find(({ cells: some }) => filledOf(some).length > 0) ?? first;
  }
  return undefined;
};

/** The words of a name, without a unit such as `($)` behind it. */
const wordsOf = (name: string): string => columnWords(name).replace(/\s*\((?:\W*|usd)\)$/, '');

export const filledOf = (cells: readonly string[]): readonly string[] => cells.filter((cell) => cell !== '');
