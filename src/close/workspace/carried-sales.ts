import type { Workspace } from './workspace.ts';

/**
 * What was carried, with the figures under which it is filed itself by now, and those of the filed record that it replaces.
 * What is filed lies with its lock, and nowhere else.
 */
export const carriedSales = ({ tables, entity }: Pick<Workspace, 'tables' | 'entity'>) =>
  tables
    .selectFrom('carried_sale')
    .leftJoin('filed_sale as own', (join) =>
      join.onRef('own.entity', '=', 'carried_sale.entity').onRef('own.key', '=', 'carried_sale.key'),
    )
    .leftJoin('filed_sale as replaced', (join) =>
      join
        .onRef('replaced.entity', '=', 'carried_sale.entity')
        .onRef('replaced.key', '=', 'carried_sale.replaces'),
    )
    .selectAll('carried_sale')
    .select(['own.figures as filed_figures', 'replaced.figures as replaced_figures'])
    .where('carried_sale.entity', '=', entity);
