import * as z from 'zod';

/** One product tax category of `GET /categories`. */
export const Category = z
  .object({ product_tax_code: z.string(), name: z.string(), description: z.string() })
  .meta({ id: 'Category' });
export type Category = z.output<typeof Category>;

/** The body of `GET /categories`. */
export const CategoriesBody = z.object({ categories: z.array(Category) });
