import type { zoneCalendar } from '../../kernel/calendar.ts';
import { digestOf } from '../../kernel/digest.ts';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { detectProfile } from '../sales/detect-profile.ts';
import { ExportError } from '../sales/export-error.ts';
import { groupRows, type RowGroup } from '../sales/group-rows.ts';
import type { Profile } from '../sales/profile.ts';
import { readRefundDates } from '../sales/read-refund-dates.ts';
import { type ReadOrder, readSale, type SaleContext } from '../sales/read-sale.ts';
import { readTable, type TableRow } from '../sales/read-table.ts';
import { type RefundDate, refundsOf, refundWithoutOrder } from '../sales/refunds.ts';
import { rowReader } from '../sales/row-view.ts';
import { postingOf, type Sale, type SetAside } from '../sales/sale.ts';
import { isRefundDatesProfile, isSalesProfile, shippedProfiles } from '../sales/shipped-profiles.ts';
import { skuCategories } from '../sales/sku-categories.ts';
import type { SaleRow, SetAsideRow } from '../workspace/tables.ts';
import { BATCH_ROWS, type Workspace, type WorkspaceQueries } from '../workspace/workspace.ts';
import type { Advanced } from './close-ports.ts';
import type { ChannelConfiguration, SourceFile } from './extract-sales.ts';

export type ChannelLoad = {
  readonly configuration: LoadedConfiguration;
  readonly workspace: Workspace;
  readonly channel: ChannelConfiguration;
  readonly sources: readonly SourceFile[];
  readonly companions: readonly SourceFile[];
  /** Names this load, so that a record seen twice in it is known from one seen in an earlier load. */
  readonly load: string;
  readonly calendar: ReturnType<typeof zoneCalendar>;
};

type Tally = { rows: number; used: number; ignored: number; rejected: number };

/**
 * Read all files of a channel into the workspace, in batches. It can be stopped anywhere and started again: what
 * tells that it is done, the digest of the load, is written last.
 */
export const loadChannel = async (load: ChannelLoad, advanced: Advanced): Promise<void> => {
  const { workspace, channel } = load;
  const own = (tables: WorkspaceQueries, table: 'set_aside' | 'refund_date' | 'source_file') =>
    tables
      .deleteFrom(table)
      .where('entity', '=', workspace.entity)
      .where('channel', '=', channel.name)
      .execute();
  await workspace.together(async (tables) => {
    for (const table of ['set_aside', 'refund_date', 'source_file'] as const) await own(tables, table);
  });

  for (const file of load.companions) await loadRefundDates(load, file);
  const conflicts = new Set<string>();
  for (const file of load.sources) await loadFile(load, file, conflicts, advanced);
  await refuseConflicts(load, conflicts);
  await addRefundsWithoutOrder(load);
  await workspace.upsert('source_load', [
    { entity: workspace.entity, channel: channel.name, digest: load.load },
  ]);
};

const detected = async (load: ChannelLoad, file: SourceFile, fits: (profile: Profile) => boolean) => {
  const profiles = shippedProfiles();
  const { profile: wanted } = load.channel;
  if (wanted !== undefined && !profiles.some(({ id }) => id === wanted)) {
    const known = profiles.map(({ id }) => id).join(', ');
    throw new ExportError(
      'E_EXPORT_PROFILE',
      file.path,
      `there is no profile "${wanted}"`,
      `Name one of ${known}.`,
    );
  }
  const found = await detectProfile(file.path, file.path, profiles);
  const isWanted = wanted === undefined || !isSalesProfile(found.profile) || found.profile.id === wanted;
  if (fits(found.profile) && isWanted) return found;
  const role =
    fits === isSalesProfile
      ? '`files` of the channel wants sales'
      : '`refundDates` wants the dates of refunds';
  throw new ExportError(
    'E_EXPORT_PROFILE',
    file.path,
    `it is a ${found.profile.title} (${found.profile.id}), but ${role}`,
    'Put the file where it belongs in the configuration.',
  );
};

const loadRefundDates = async (load: ChannelLoad, file: SourceFile): Promise<void> => {
  const { workspace, channel } = load;
  const found = await detected(load, file, isRefundDatesProfile);
  if (!isRefundDatesProfile(found.profile)) return;
  const read = readRefundDates(file, found.header, found.headerLine, found.profile);
  const identity = { entity: workspace.entity, channel: channel.name, file: file.name };
  for await (const batch of batches(read)) {
    const dates = batch.flatMap((record) => ('amount' in record ? [record] : []));
    const asides = batch.flatMap((record) => ('outcome' in record ? [setAsideRow(load, record)] : []));
    await workspace.together(async (tables) => {
      const rows = dates.map(({ order, instant, amount, origin }) => ({
        ...identity,
        line: origin.line,
        order_id: order,
        instant,
        amount,
      }));
      await workspace.upsert('refund_date', rows, tables);
      await workspace.upsert('set_aside', asides, tables);
    });
  }
};

const loadFile = async (
  load: ChannelLoad,
  file: SourceFile,
  conflicts: Set<string>,
  advanced: Advanced,
): Promise<void> => {
  const { workspace, channel } = load;
  const tally: Tally = { rows: 0, used: 0, ignored: 0, rejected: 0 };
  const { groups, profile, context, read } = await openSales(load, file);
  for await (const batch of batches(groups)) {
    const records = batch.map((group) => readSale(group, profile, read, context));
    await storeBatch(load, records, conflicts, tally, batch);
    advanced(tally.rows);
  }
  await workspace.upsert('source_file', [
    {
      entity: workspace.entity,
      channel: channel.name,
      path: file.name,
      sha256: file.sha256,
      bytes: file.bytes,
      profile: `${profile.id}@${profile.version}`,
      ...tally,
    },
  ]);
};

const openSales = async (load: ChannelLoad, file: SourceFile) => {
  const { configuration, channel, calendar } = load;
  const { profile, header, headerLine } = await detected(load, file, isSalesProfile);
  if (!isSalesProfile(profile))
    throw new ExportError('E_EXPORT_PROFILE', file.path, 'it is no sales export', 'Name a sales export.');
  const read = rowReader(header);
  const context: SaleContext = {
    channel: channel.name,
    file: file.name,
    calendar,
    sellerPlace: configuration.shipFrom,
    categoryOf: skuCategories(configuration.categories),
  };
  const rows = rowsBelow(readTable(file.path, file.path), headerLine);
  return {
    profile,
    context,
    read,
    groups: groupRows(rows, header.length, profile.shape, profile.map.line.present, read),
  };
};

async function* rowsBelow(rows: AsyncIterable<TableRow>, headerLine: number): AsyncGenerator<TableRow> {
  for await (const row of rows) if (row.line > headerLine) yield row;
}

async function* batches<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Write one batch: each record finds its earlier self by key, and a second place in this load is a duplicate. */
const storeBatch = async (
  load: ChannelLoad,
  records: readonly (ReadOrder | SetAside)[],
  conflicts: Set<string>,
  tally: Tally,
  groups: readonly RowGroup[],
): Promise<void> => {
  const { workspace } = load;
  const orders = records.filter((record) => 'order' in record);
  await workspace.together(async (tables) => {
    const seen = await seenInLoad(
      load,
      orders.map(({ order }) => order.key),
      tables,
    );
    const dates = await refundDatesOf(
      load,
      orders.map(({ order }) => order.id),
      tables,
    );
    const sales: SaleRow[] = [];
    const asides: SetAsideRow[] = [];
    records.forEach((record, index) => {
      const rows = groups[index]?.rows ?? [];
      tally.rows += rows.length;
      if ('outcome' in record) {
        tally[record.outcome] += rows.length;
        asides.push(setAsideRow(load, record));
        return;
      }
      const row = saleRow(load, record.order);
      const earlier = seen.get(row.key);
      if (earlier === undefined || (earlier.file === row.file && earlier.line === row.line)) {
        seen.set(row.key, row);
        tally.used += rows.length;
        sales.push(
          row,
          ...refundsOf(record, dates.get(record.order.id) ?? [], load.calendar).map((refund) =>
            saleRow(load, refund),
          ),
        );
        return;
      }
      if (earlier.digest !== row.digest) conflicts.add(row.key);
      tally.ignored += rows.length;
      asides.push(setAsideRow(load, duplicate(record.order, rows, earlier)));
    });
    await workspace.upsert('sale', sales, tables);
    await workspace.upsert('set_aside', asides, tables);
  });
};

type Seen = Pick<SaleRow, 'key' | 'digest' | 'file' | 'line'>;

const seenInLoad = async (
  load: ChannelLoad,
  keys: readonly string[],
  tables: WorkspaceQueries,
): Promise<Map<string, Seen>> => {
  if (keys.length === 0) return new Map();
  const rows = await tables
    .selectFrom('sale')
    .select(['key', 'digest', 'file', 'line'])
    .where('entity', '=', load.workspace.entity)
    .where('load', '=', load.load)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
};

const refundDatesOf = async (
  load: ChannelLoad,
  ids: readonly string[],
  tables: WorkspaceQueries,
): Promise<Map<string, RefundDate[]>> => {
  const found = new Map<string, RefundDate[]>();
  if (ids.length === 0) return found;
  const rows = await tables
    .selectFrom('refund_date')
    .selectAll()
    .where('entity', '=', load.workspace.entity)
    .where('channel', '=', load.channel.name)
    .where('order_id', 'in', ids)
    .orderBy('instant')
    .orderBy('file')
    .orderBy('line')
    .execute();
  for (const row of rows) found.set(row.order_id, [...(found.get(row.order_id) ?? []), refundDate(row)]);
  return found;
};

const refundDate = (row: {
  order_id: string;
  instant: number;
  amount: number;
  file: string;
  line: number;
}): RefundDate => ({
  order: row.order_id,
  instant: row.instant as RefundDate['instant'],
  amount: row.amount as RefundDate['amount'],
  origin: { file: row.file, line: row.line, record: row.order_id },
});

const duplicate = (order: Sale, rows: readonly TableRow[], earlier: Seen): SetAside => ({
  outcome: 'ignored',
  origin: order.origin,
  rows,
  businessDate: order.businessDate,
  reason: { code: 'duplicate', message: `the same record stands at ${earlier.file}:${earlier.line}` },
});

/**
 * An order that came twice in one load with different content is refused in every place, because nobody can tell
 * which one is right. Such orders are rare, so their rows are read a second time instead of being kept.
 */
const refuseConflicts = async (load: ChannelLoad, conflicts: ReadonlySet<string>): Promise<void> => {
  if (conflicts.size === 0) return;
  const { workspace, channel } = load;
  for (const file of load.sources) {
    const moved: Tally = { rows: 0, used: 0, ignored: 0, rejected: 0 };
    const { groups, profile, context, read } = await openSales(load, file);
    const refused: SetAsideRow[] = [];
    const seen = await seenInLoad(load, [...conflicts], workspace.tables);
    for await (const group of groups) {
      const record = readSale(group, profile, read, context);
      if (!('order' in record) || !conflicts.has(record.order.key)) continue;
      const first = seen.get(record.order.key);
      const wasUsed = first?.file === record.order.origin.file && first?.line === record.order.origin.line;
      moved[wasUsed ? 'used' : 'ignored'] += group.rows.length;
      refused.push(setAsideRow(load, conflicting(record.order, group.rows)));
    }
    const rejected = moved.used + moved.ignored;
    await workspace.together(async (tables) => {
      await workspace.upsert('set_aside', refused, tables);
      await tables
        .updateTable('source_file')
        .set((row) => ({
          used: row('used', '-', moved.used),
          ignored: row('ignored', '-', moved.ignored),
          rejected: row('rejected', '+', rejected),
        }))
        .where('entity', '=', workspace.entity)
        .where('channel', '=', channel.name)
        .where('path', '=', file.name)
        .execute();
    });
  }
  const keys = [...conflicts].flatMap((key) => [key, `${key.replace('/order/', '/refund/')}-refund`]);
  await workspace.tables
    .deleteFrom('sale')
    .where('entity', '=', workspace.entity)
    .where('key', 'in', keys)
    .execute();
};

const conflicting = (order: Sale, rows: readonly TableRow[]): SetAside => ({
  outcome: 'rejected',
  origin: order.origin,
  rows,
  businessDate: order.businessDate,
  reason: {
    code: 'conflicting-duplicate',
    message: 'the order stands in the exports more than once, with different content',
  },
});

/** Repayments whose order is in none of the exports: a refund must never be lost because its order is not at hand. */
const addRefundsWithoutOrder = async (load: ChannelLoad): Promise<void> => {
  const { workspace, channel, calendar } = load;
  const rows = await workspace.tables
    .selectFrom('refund_date')
    .selectAll()
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sale')
            .select('sale.key')
            .whereRef('sale.entity', '=', 'refund_date.entity')
            .whereRef('sale.channel', '=', 'refund_date.channel')
            .where('sale.kind', '=', 'order')
            .whereRef('sale.id', '=', 'refund_date.order_id'),
        ),
      ),
    )
    .orderBy('order_id')
    .orderBy('instant')
    .execute();
  const counts = new Map<string, number>();
  const refunds = rows.map((row) => {
    const count = (counts.get(row.order_id) ?? 0) + 1;
    counts.set(row.order_id, count);
    return saleRow(load, refundWithoutOrder(channel.name, refundDate(row), count, calendar));
  });
  await workspace.upsert('sale', refunds);
};

const saleRow = (load: ChannelLoad, sale: Sale): SaleRow => {
  const { origin, rows, ...content } = sale;
  return {
    entity: load.workspace.entity,
    key: sale.key,
    channel: sale.channel,
    kind: sale.kind,
    id: sale.id,
    business_date: sale.businessDate,
    instant: sale.instant,
    posting: postingOf(sale),
    body: JSON.stringify({ ...content, origin, rows }),
    digest: digestOf(content),
    load: load.load,
    file: origin.file,
    line: origin.line,
  };
};

const setAsideRow = (load: ChannelLoad, aside: SetAside): SetAsideRow => ({
  entity: load.workspace.entity,
  channel: load.channel.name,
  file: aside.origin.file,
  line: aside.origin.line,
  record: aside.origin.record,
  outcome: aside.outcome,
  code: aside.reason.code,
  business_date: aside.businessDate,
  body: JSON.stringify(aside),
});
