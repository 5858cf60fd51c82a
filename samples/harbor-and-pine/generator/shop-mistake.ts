import type { Rates } from './places.ts';

/** What the shop did wrong when it charged tax. */
export type ShopMistake =
  | { readonly kind: 'other-rates'; readonly rates: Rates }
  | { readonly kind: 'freight-taxed' }
  | { readonly kind: 'charged-without-nexus' }
  | { readonly kind: 'nothing-charged' }
  | { readonly kind: 'lines-rounded-one-by-one' }
  | { readonly kind: 'category-ignored' };
