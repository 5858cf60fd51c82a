import type { Category } from '../../contract/category.ts';
import type { TaxContent } from './tax-content.ts';

/** The product tax categories this content knows, ordered by code. */
export const categoriesOf = (content: TaxContent): readonly Category[] => content.categories;
