import { amendedLabel } from '../../kernel/amended-version.ts';
import { type Instant, startOfUtcDay, utcDateOf } from '../../kernel/calendar.ts';
import { nextOpenDay } from '../period-sales/filing-plan.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import type { Lock } from '../workspace/locks.ts';
import type { CarriedSaleRow } from '../workspace/period-tables.ts';
import type { Workspace, WorkspaceQueries } from '../workspace/workspace.ts';
import type { LateItem } from './late-item.ts';
import { noteEvent } from './period-events.ts';
import { standingRecords } from './standing-records.ts';
import { statedDigest } from './stated-digest.ts';

export type LateChoice = 'carry' | 'amend';

export type Decision = {
  readonly choice: LateChoice;
  readonly who: string;
  readonly why: string;
  readonly now: Instant;
};

/** Where decided items are filed: a day of an open period, or the amended version of their own. */
export type Destination = { readonly day: string } | { readonly amendment: string };

/**
 * Decide late items of a locked period: write down who chose what, and make the records that put right what was filed.
 * A record that was decided before and is not filed with it yet goes where the new decision says.
 *
 * @returns the day or the amended version with which they are filed
 */
export const decideLate = async (
  workspace: Workspace,
  lock: Lock,
  locks: readonly Lock[],
  given: { readonly items: readonly LateItem[]; readonly decision: Decision },
): Promise<string> => {
  const { items, decision } = given;
  const destination = destinationOf(lock, locks, decision.choice);
  const name = 'day' in destination ? destination.day : destination.amendment;
  if (items.length === 0) return name;
  const standing = await standingRecords(
    workspace,
    items.map(({ key }) => key),
  );
  await workspace.together(async (tables) => {
    if ('amendment' in destination && !locks.some(({ label }) => label === destination.amendment))
      await openAmendment(workspace, tables, lock, destination.amendment, locks);
    await forgetUnfiled(
      workspace,
      tables,
      items.map(({ key }) => key),
    );
    const rows = items.flatMap((item) =>
      rowsOf(workspace, item, (standing.get(item.key)?.corrections ?? 0) + 1, destination),
    );
    await workspace.upsert('carried_sale', rows, tables);
    await writeDown(workspace, tables, items, decision, name);
    await noteEvent(workspace, tables, {
      period: lock.period,
      what: decision.choice === 'carry' ? 'carried' : 'amended',
      at: decision.now,
      who: decision.who,
      why: [`${items.length} late ${items.length === 1 ? 'item' : 'items'} to ${name}`, decision.why]
        .filter((text) => text !== '')
        .join(': '),
      digest: '',
    });
  });
  return name;
};

const destinationOf = (lock: Lock, locks: readonly Lock[], choice: LateChoice): Destination => {
  if (choice === 'carry') return { day: nextOpenDay(lock, locks) };
  const versions = locks.filter(({ period }) => period === lock.period);
  const open = versions.find(({ state }) => state === 'open');
  return { amendment: open?.label ?? amendedLabel(lock.period, versions.length) };
};

const openAmendment = (
  workspace: Workspace,
  tables: WorkspaceQueries,
  { period, first, last }: Lock,
  label: string,
  locks: readonly Lock[],
): Promise<void> => {
  const version = locks.filter((lock) => lock.period === period).length;
  const row = { entity: workspace.entity, label, period, version, first, last };
  return workspace.upsert(
    'period_lock',
    [{ ...row, state: 'open', digest: '', body: '{}', report: '{}' }],
    tables,
  );
};

/** What was carried to correct these records, and no lock holds yet, gives way. */
export const forgetUnfiled = async (
  { entity }: Pick<Workspace, 'entity'>,
  tables: WorkspaceQueries,
  corrected: readonly string[],
): Promise<void> => {
  await tables
    .deleteFrom('carried_sale')
    .where('entity', '=', entity)
    .where('corrects', 'in', corrected)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('filed_sale')
            .select('filed_sale.key')
            .whereRef('filed_sale.entity', '=', 'carried_sale.entity')
            .whereRef('filed_sale.key', '=', 'carried_sale.key'),
        ),
      ),
    )
    .execute();
};

const rowsOf = (
  { entity }: Workspace,
  item: LateItem,
  number: number,
  destination: Destination,
): readonly CarriedSaleRow[] =>
  correctionsOf(item, number).map((sale) => ({
    entity,
    key: sale.key,
    filed_on: 'day' in destination ? destination.day : dayWithin(item),
    amendment: 'day' in destination ? '' : destination.amendment,
    source: item.period.label,
    corrects: item.key,
    replaces: item.filed?.sale.key ?? '',
    business_date: sale.businessDate,
    posting: postingOf(sale),
    body: JSON.stringify(sale),
    digest: statedDigest(sale),
  }));

/** The day of its period with which an amended record counts. */
const dayWithin = ({ period, sale, filed }: LateItem): string => {
  const day = filed?.filedOn ?? sale?.businessDate ?? period.first;
  return period.first <= day && day <= period.last ? day : utcDateOf(startOfUtcDay(period.first));
};

const writeDown = async (
  workspace: Workspace,
  tables: WorkspaceQueries,
  items: readonly LateItem[],
  { choice, who, why, now }: Decision,
  destination: string,
): Promise<void> => {
  const last = await tables
    .selectFrom('late_decision')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('entity', '=', workspace.entity)
    .executeTakeFirst();
  const before = Number(last?.number ?? 0);
  await workspace.upsert(
    'late_decision',
    items.map(({ period, key, stated }, index) => ({
      entity: workspace.entity,
      number: before + index + 1,
      period: period.label,
      key,
      choice: choice === 'carry' ? 'carried' : 'amended',
      destination,
      content: stated,
      decided: now,
      who,
      why,
    })),
    tables,
  );
};

/**
 * The records that put right what was filed of a late item. What was never filed goes in as it is. What was filed is
 * taken back whole, with the figures it was filed with, and the newest content goes in beside it: so gross, taxable,
 * collected and expected come out exactly as if it had been known in time, whatever of the record has changed.
 *
 * @param number counts the corrections of this record, from 1
 */
const correctionsOf = ({ sale, filed }: LateItem, number: number): readonly Sale[] => {
  if (!filed && number === 1) return sale ? [sale] : [];
  return [
    ...(filed ? [reversalOf(filed.sale, sale, number)] : []),
    ...(sale ? [named(sale, `${sale.id}-late-${number}`)] : []),
  ];
};

/** A refund takes an order back, and an order a refund. It lies on the day of what it takes back. */
const reversalOf = (filed: Sale, now: Sale | undefined, number: number): Sale => {
  const isOrder = filed.kind === 'order';
  const original = filed.id.replace(/-late-\d+$/, '');
  const reversed: Sale = {
    ...filed,
    kind: isOrder ? 'refund' : 'order',
    reference: isOrder ? filed.id : null,
    remarks: [],
    origin: now?.origin ?? filed.origin,
    rows: 0,
  };
  return named(reversed, `${original}-late-${number}-reversal`);
};

const named = (sale: Sale, id: string): Sale => ({ ...sale, id, key: `${sale.channel}/${sale.kind}/${id}` });
