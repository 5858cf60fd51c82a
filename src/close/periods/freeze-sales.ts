import type { FilingPeriod } from '../../kernel/period.ts';
import type { Lock } from '../workspace/locks.ts';
import type { FiledSaleRow } from '../workspace/period-tables.ts';
import type { Workspace, WorkspaceQueries } from '../workspace/workspace.ts';

const COLUMNS = [
  'entity',
  'key',
  'label',
  'filed_on',
  'source',
  'corrects',
  'posting',
  'body',
  'digest',
  'figures',
] as const satisfies readonly (keyof FiledSaleRow)[];

/**
 * What is not posted is in no return: it is kept under the name of its lock, and its own key stays free for the period
 * in which it may be posted some day.
 */
export const unpostedKey = (label: string, key: string): string => `${label}:${key}`;

/** Copy the sales of a period, with their figures, to where nothing changes them: its own, and those carried into it. */
export const freezeSales = async (
  workspace: Workspace,
  tables: WorkspaceQueries,
  period: FilingPeriod,
  amendment: Lock | undefined,
): Promise<void> => {
  await freezeCarried(workspace, tables, period, amendment?.label ?? '');
  if (!amendment) await freezeOwn(workspace, tables, period);
};

const freezeCarried = async (
  { entity }: Workspace,
  tables: WorkspaceQueries,
  { label, first, last }: FilingPeriod,
  amendment: string,
): Promise<void> => {
  await tables
    .insertInto('filed_sale')
    .columns([...COLUMNS])
    .expression(
      tables
        .selectFrom('carried_sale')
        .leftJoin('reconciled', (join) =>
          join
            .onRef('reconciled.entity', '=', 'carried_sale.entity')
            .onRef('reconciled.key', '=', 'carried_sale.key')
            .on('carried_sale.posting', '=', 'posted'),
        )
        .select(({ val, case: when, ref, eb }) => [
          'carried_sale.entity',
          when()
            .when('carried_sale.posting', '=', 'posted')
            .then(ref('carried_sale.key'))
            .else(eb(val(unpostedKey(label, '')), '||', ref('carried_sale.key')))
            .end()
            .as('key'),
          val(label).as('label'),
          'carried_sale.filed_on',
          'carried_sale.source',
          'carried_sale.corrects',
          'carried_sale.posting',
          'carried_sale.body',
          'carried_sale.digest',
          'reconciled.body as figures',
        ])
        .where('carried_sale.entity', '=', entity)
        .where('carried_sale.amendment', '=', amendment)
        .where('carried_sale.filed_on', '>=', first)
        .where('carried_sale.filed_on', '<=', last),
    )
    .execute();
};

/** What is filed, or carried, elsewhere counts there. */
const freezeOwn = async (
  { entity }: Workspace,
  tables: WorkspaceQueries,
  { label, first, last }: FilingPeriod,
): Promise<void> => {
  await tables
    .insertInto('filed_sale')
    .columns([...COLUMNS])
    .expression(
      tables
        .selectFrom('sale')
        .leftJoin('reconciled', (join) =>
          join
            .onRef('reconciled.entity', '=', 'sale.entity')
            .onRef('reconciled.key', '=', 'sale.key')
            .on('sale.posting', '=', 'posted'),
        )
        .select(({ val, case: when, ref, eb }) => [
          'sale.entity',
          when()
            .when('sale.posting', '=', 'posted')
            .then(ref('sale.key'))
            .else(eb(val(unpostedKey(label, '')), '||', ref('sale.key')))
            .end()
            .as('key'),
          val(label).as('label'),
          'sale.business_date as filed_on',
          val('').as('source'),
          val('').as('corrects'),
          'sale.posting',
          'sale.body',
          'sale.digest',
          'reconciled.body as figures',
        ])
        .where('sale.entity', '=', entity)
        .where('sale.business_date', '>=', first)
        .where('sale.business_date', '<=', last)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('filed_sale')
                .select('filed_sale.key')
                .whereRef('filed_sale.entity', '=', 'sale.entity')
                .whereRef('filed_sale.key', '=', 'sale.key'),
            ),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('carried_sale')
                .select('carried_sale.key')
                .whereRef('carried_sale.entity', '=', 'sale.entity')
                .whereRef('carried_sale.key', '=', 'sale.key'),
            ),
          ),
        ),
    )
    .execute();
};
