import type { SalesProfile } from './profile.ts';
import { remembered } from './remembered.ts';
import type { SaleFinding } from './sale.ts';

/** What an export says of an item, by which the configuration gives it a category; empty where it says nothing. */
export type Item = Readonly<Record<'sku' | 'name' | 'category', string>>;

/** An entry of the configuration: patterns, all of which fit an item of this code. */
export type ProductCategory = { readonly code: string } & {
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
