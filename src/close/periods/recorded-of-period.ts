import { afterKey } from '../../database/after-key.ts';
import { pagesOf } from '../../database/pages.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { providerOf } from '../configuration/provider-of.ts';
import type { Configuration } from '../configuration/schema.ts';
import { filingPlan } from '../workspace/filing-plan.ts';
import { locksOf } from '../workspace/locks.ts';
import type { RecordedRow } from '../workspace/service-tables.ts';
import { BATCH_ROWS, type Workspace } from '../workspace/workspace.ts';
import { recordedOnOtherDays } from './recorded-on-other-days.ts';

/** Which service's records, and under which names it keeps the channels. */
export type RecordedBy = {
  readonly workspace: Workspace;
  readonly serviceName: string;
  readonly configuration: Configuration;
};

/**
 * What the service holds of a period in pages: what is dated in it, without that which was carried out of it, and
 * what was carried into it or is of its sales, whatever its date.
 */
export async function* recordedOf(
  { workspace, serviceName, configuration }: RecordedBy,
  period: FilingPeriod,
): AsyncGenerator<readonly RecordedRow[]> {
  const channels = new Map(configuration.channels.map(({ name }) => [providerOf(configuration, name), name]));
  const { here, elsewhere } = await carriedKeys(workspace, period);
  const keyOf = ({ provider, kind, id }: RecordedRow) =>
    `${channels.get(provider) ?? provider}/${kind}/${id}`;
  for await (const page of datedIn(workspace, serviceName, period)) {
    const rows = page.filter((row) => !elsewhere.has(keyOf(row)));
    if (rows.length > 0) yield rows;
  }
  yield* recordedOnOtherDays({ workspace, serviceName, configuration }, period);
  const ids = [...here].map((key) => key.slice(key.lastIndexOf('/') + 1));
  if (ids.length === 0) return;
  const rows = await workspace.tables
    .selectFrom('recorded')
    .selectAll()
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('id', 'in', ids)
    .where(({ or, eb }) =>
      or([eb('business_date', '<', period.first), eb('business_date', '>', period.last)]),
    )
    .orderBy('provider')
    .orderBy('kind')
    .orderBy('id')
    .execute();
  const carried = rows.filter((row) => here.has(keyOf(row)));
  if (carried.length > 0) yield carried;
}

const datedIn = (
  { tables, entity }: Workspace,
  service: string,
  { first, last }: FilingPeriod,
): AsyncGenerator<readonly RecordedRow[]> =>
  pagesOf<RecordedRow>(BATCH_ROWS, (after, rowsMax) =>
    tables
      .selectFrom('recorded')
      .selectAll()
      .where('entity', '=', entity)
      .where('service', '=', service)
      .where('business_date', '>=', first)
      .where('business_date', '<=', last)
      .$if(after !== undefined, (query) =>
        query.where(
          afterKey({ provider: after?.provider ?? '', kind: after?.kind ?? '', id: after?.id ?? '' }),
        ),
      )
      .orderBy('provider')
      .orderBy('kind')
      .orderBy('id')
      .limit(rowsMax)
      .execute(),
  );

/** The keys of all carried records, by whether they are filed with this period. */
const carriedKeys = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<{ readonly here: ReadonlySet<string>; readonly elsewhere: ReadonlySet<string> }> => {
  const { spans, amendment } = filingPlan(period, await locksOf(workspace));
  const labels = new Set([...spans.flatMap((span) => span.labels), ...(amendment ? [amendment] : [])]);
  const rows = await workspace.tables
    .selectFrom('carried_sale')
    .select(['key', 'filed_on', 'amendment'])
    .where('entity', '=', workspace.entity)
    .execute();
  const isHere = ({ filed_on, amendment: version }: (typeof rows)[number]): boolean =>
    version === '' ? period.first <= filed_on && filed_on <= period.last : labels.has(version);
  const [here, elsewhere] = [new Set<string>(), new Set<string>()];
  for (const row of rows) (isHere(row) ? here : elsewhere).add(row.key);
  return { here, elsewhere };
};

/** Which of these keys are posted: as sales that the exports have in the period, filed anywhere, or carried anywhere. */
export const postedAmong = async (
  { tables, entity }: Workspace,
  { first, last }: FilingPeriod,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  // The days are not asked of the database: it would walk through all of them instead of looking up the keys.
  const present = await tables
    .selectFrom('sale')
    .select(['key', 'business_date'])
    .where('entity', '=', entity)
    .where('posting', '=', 'posted')
    .where('key', 'in', keys)
    .execute();
  const here = present.filter(({ business_date: day }) => day >= first && day <= last);
  const found = new Set(here.map(({ key }) => key));
  for (const table of ['filed_sale', 'carried_sale'] as const) {
    const rows = await tables
      .selectFrom(table)
      .select('key')
      .where('entity', '=', entity)
      .where('posting', '=', 'posted')
      .where('key', 'in', keys)
      .execute();
    for (const { key } of rows) found.add(key);
  }
  return found;
};
