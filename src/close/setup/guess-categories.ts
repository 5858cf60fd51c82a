import { compareText } from '../../kernel/compare-text.ts';
import type { Sale } from '../sales/sale.ts';
import { categoryOfName, type GuessedCategory } from './category-words.ts';

/** Items whose SKUs begin alike. `guess` where the names of nearly all of them suggest one category. */
export type SkuGroup = {
  /** A pattern of SKUs, such as `APP-*`. */
  readonly sku: string;
  readonly lines: number;
  /** The name of an item that was sold most often. */
  readonly example: string;
  readonly guess: GuessedCategory | undefined;
};

/** So many hundredths of the lines of a group must suggest the same category. */
const AGREEING_PERCENT = 80;

/** The SKU prefixes of sales, the most frequent first. */
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
