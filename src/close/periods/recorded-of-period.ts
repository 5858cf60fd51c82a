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
  const { labels, here, elsewhere } = await carriedKeys(workspace, period);
  const keyOf = ({ provider, kind, id }: RecordedRow) =>
    `${channels.get(provider) ?? provider}/${kind}/${id}`;
  for await (const page of datedIn(workspace, serviceName, period)) {
    const rows = page.filter((row) => isShown(row) && !elsewhere.has(keyOf(row)));
    if (rows.length > 0) yield rows;
  }
  yield* recordedOnOtherDays({ workspace, serviceName, configuration }, period, labels);
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

/** Whether the service gave the record, and did not only list it. */
const isShown = ({ kind }: RecordedRow): boolean => kind === 'order' || kind === 'refund';

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

/** The names under which anything of a period is filed: those of its locks, and of the amended version that it is. */
const labelsOf = async (workspace: Workspace, period: FilingPeriod): Promise<readonly string[]> => {
  const { spans, amendment } = filingPlan(period, await locksOf(workspace));
  return [...spans.flatMap(({ labels }) => labels), ...(amendment ? [amendment] : [])];
};

type CarriedKeys = {
  readonly labels: readonly string[];
  readonly here: ReadonlySet<string>;
  readonly elsewhere: ReadonlySet<string>;
};

/** The keys of all carried records, by whether they are filed with this period. */
const carriedKeys = async (workspace: Workspace, period: FilingPeriod): Promise<CarriedKeys> => {
  const labels = await labelsOf(workspace, period);
  const rows = await workspace.tables
    .selectFrom('carried_sale')
    .select(['key', 'filed_on', 'amendment'])
    .where('entity', '=', workspace.entity)
    .execute();
  const isHere = ({ filed_on, amendment: version }: (typeof rows)[number]): boolean =>
    version === '' ? period.first <= filed_on && filed_on <= period.last : labels.includes(version);
  const [here, elsewhere] = [new Set<string>(), new Set<string>()];
  for (const row of rows) (isHere(row) ? here : elsewhere).add(row.key);
  return { labels, here, elsewhere };
};

/** Which of these keys are posted with a period: filed with it, carried, or of its days and filed nowhere. */
export const postedAmong = async (
  workspace: Workspace,
  period: FilingPeriod,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { tables, entity } = workspace;
  // The days are not asked of the database: SQLite would walk through all of them instead of looking up the keys.
  const sales = await tables
    .selectFrom('sale')
    .select(['key', 'business_date'])
    .where('entity', '=', entity)
    .where('posting', '=', 'posted')
    .where('key', 'in', keys)
    .execute();
  const filed = await tables
    .selectFrom('filed_sale')
    .select(['key', 'label'])
    .where('entity', '=', entity)
    .where('posting', '=', 'posted')
    .where('key', 'in', keys)
    .execute();
  const carried = await tables
    .selectFrom('carried_sale')
    .select('key')
    .where('entity', '=', entity)
    .where('posting', '=', 'posted')
    .where('key', 'in', keys)
    .execute();
  const present = sales.filter(({ business_date: day }) => period.first <= day && day <= period.last);
  const found = new Set(present.map(({ key }) => key));
  const labels = filed.length > 0 ? await labelsOf(workspace, period) : [];
  for (const { key, label } of filed) {
    if (labels.includes(label)) found.add(key);
    else found.delete(key);
  }
  for (const { key } of carried) found.add(key);
  return found;
};
