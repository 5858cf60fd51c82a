import { remembered } from './remembered.ts';

/** One product category of the configuration: SKUs by pattern, `*` for any run of characters. */
export type SkuCategory = { readonly sku: string; readonly code: string };

/**
 * Return a function that finds the category code of a SKU: the first matching pattern decides; `null` if none matches.
 */
export const skuCategories = (categories: readonly SkuCategory[]): ((sku: string) => string | null) => {
  const patterns = categories.map(({ sku, code }) => ({ pattern: patternOf(sku), code }));
  return remembered((sku) => patterns.find(({ pattern }) => pattern.test(sku))?.code ?? null);
};

const patternOf = (sku: string): RegExp => {
  const escaped = sku.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 'i');
};
