import { amendedPeriod, amendmentNumber } from '../../kernel/amended-version.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { filedByKey } from './filed-pages.ts';
import type { CarriedSaleRow } from './period-tables.ts';
import { salesByKey } from './put-sales.ts';
import { rowsIn } from './queries.ts';
import { isOf } from './sale-key.ts';
import type { Workspace } from './workspace.ts';

/** Orders of a channel, and the day up to which refunds after the period count like those before it. */
type Asked = {
  readonly channel: string;
  readonly orders: readonly string[];
  readonly until: CalendarDate | undefined;
};

/**
 * Returns the posted refunds of these orders of a channel that count before a period and stand when it begins, by key. A
 * late refund counts where it was carried to or amended; a filed one that the period corrects does not stand.
 */
export const refundsBefore = async (
  workspace: Workspace,
  period: FilingPeriod,
  { channel, orders, until = period.last }: Asked,
): Promise<readonly Sale[]> => {
  const counting: Counting = { period, until };
  const rows = await rowsIn(workspace, 'sale')
    .select('key')
    .where(isOf(channel, 'refund'))
    .where((row) =>
      row.or([
        row('business_date', '<', period.first),
        row.and([row('business_date', '>', period.last), row('business_date', '<=', until)]),
      ]),
    )
    .where('posting', '=', 'posted')
    .where('reference', 'in', orders)
    .orderBy('key')
    .execute();
  const keys = rows.map(({ key }) => key);
  const carried = await carriedFor(workspace, keys);
  const corrected = new Set(carried.map(({ corrects }) => corrects));
  const asStated = await salesByKey(
    workspace,
    keys.filter((key) => !corrected.has(key)),
  );
  return [...asStated.values(), ...(await standingOf(workspace, counting, carried))];
};

/** A period, and the last day after it that counts like those before it. */
type Counting = { readonly period: FilingPeriod; readonly until: CalendarDate };

/** Returns the records that correct these refunds, or add them as late, by key. */
const carriedFor = (workspace: Workspace, keys: readonly string[]): Promise<readonly CarriedSaleRow[]> =>
  rowsIn(workspace, 'carried_sale').selectAll().where('corrects', 'in', keys).orderBy('key').execute();

/** Returns the refunds that stand before a period among those that were corrected, and their corrections. */
const standingOf = async (
  workspace: Workspace,
  counting: Counting,
  carried: readonly CarriedSaleRow[],
): Promise<readonly Sale[]> => {
  const placed = carried.map((row) => ({ ...row, place: placeOf(row, counting) }));
  const replaced = new Set(placed.filter(({ place }) => place !== 'after').map(({ replaces }) => replaces));
  const added = new Set(carried.map(({ key }) => key));
  const filed = await filedByKey(
    workspace,
    carried.map(({ corrects }) => corrects).filter((key) => !added.has(key)),
  );
  const records = [
    ...[...filed.values()].filter(({ filed_on: day }) => isBefore(day, counting)),
    ...placed.filter(({ place, key }) => place === 'before' && nameOfKey(key).kind === 'refund'),
  ];
  return records
    .filter(({ key, posting }) => posting === 'posted' && !replaced.has(key))
    .map(({ body }) => JSON.parse(body) as Sale);
};

/** Returns whether a carried record counts before a period, in it, or after it, as a later version of it does. */
const placeOf = (
  { filed_on: day, amendment }: CarriedSaleRow,
  counting: Counting,
): 'before' | 'in' | 'after' => {
  const { label, last } = counting.period;
  if (isBefore(day, counting)) return 'before';
  const isLaterVersion =
    amendedPeriod(amendment) === amendedPeriod(label) && amendmentNumber(amendment) > amendmentNumber(label);
  return day > last || isLaterVersion ? 'after' : 'in';
};

const isBefore = (day: string, { period, until }: Counting): boolean =>
  day < period.first || (period.last < day && day <= until);
