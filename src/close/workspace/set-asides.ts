import { pagesBy } from '../../database/pages.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { UNNUMBERED_REFUND } from '../sales/record-id.ts';
import type { SetAside } from '../sales/sale.ts';
import type { Loading, OwnLoading } from './loads.ts';
import { changeIn, deleteIn, hasKeyIn, put, rowsIn } from './queries.ts';
import { setAsideOf } from './sale-rows.ts';
import type { SetAsideRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** A record that was set aside, with the channel of its file. */
export type ChannelSetAside = SetAside & { readonly channel: string };

/** Store records that are set aside. */
export const keepSetAsides = (workspace: Workspace, rows: readonly SetAsideRow[]): Promise<void> =>
  put(workspace, 'set_aside', rows);

/** Returns the set-aside records that are dated on these days or have no date, in the order of their files. */
export const setAsidesOn = async (
  workspace: Workspace,
  { first, last }: Pick<FilingPeriod, 'first' | 'last'>,
): Promise<readonly ChannelSetAside[]> => {
  const rows = await rowsIn(workspace, 'set_aside')
    .select(['channel', 'body', 'gone'])
    .where(({ or, and, eb }) =>
      or([
        eb('business_date', 'is', null),
        and([eb('business_date', '>=', first), eb('business_date', '<=', last)]),
      ]),
    )
    .orderBy('channel')
    .orderBy('file')
    .orderBy('line')
    .orderBy('gone')
    .execute();
  return rows.map((row) => ({ ...setAsideOf(row), channel: row.channel }));
};

/** Returns the set-aside records that the exports give these names, with their days. */
export const setAsidesNamed = (workspace: Workspace, records: readonly string[]) =>
  rowsIn(workspace, 'set_aside')
    .select(['record', 'business_date as day'])
    .where('record', 'in', records)
    .execute();

/** Returns the set-aside records with these keys. If a record has several places, the first place comes last. */
export const setAsidesByKey = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<readonly (SetAside & { readonly key: string })[]> => {
  const rows = await rowsIn(workspace, 'set_aside')
    .select(['key', 'body', 'gone'])
    .where('key', 'in', keys)
    .orderBy('file', 'desc')
    .orderBy('line', 'desc')
    .orderBy('gone', 'desc')
    .execute();
  return rows.map((row) => ({ ...setAsideOf(row), key: row.key }));
};

/** Returns the files in which this load has set records with these keys aside, by key; not those that a reject file repairs. */
export const filesSettingAside = async (
  load: OwnLoading,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (keys.length === 0) return new Map();
  const rows = await ofChannel(load)
    .select(['key', 'file'])
    .where('key', 'in', keys)
    .where('gone', '=', 0)
    .where('code', '<>', 'repaired')
    .execute();
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return new Map([...byKey].map(([key, own]) => [key, own.map(({ file }) => file)]));
};

/** Returns those of these keys under which the exports have refunds that may be several. */
export const unnumberedAmong = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (keys.length === 0) return new Set();
  const rows = rowsIn(workspace, 'set_aside').select('key').where('key', 'in', keys);
  const found = await rows.where('code', '=', UNNUMBERED_REFUND).execute();
  return new Set(found.map(({ key }) => key));
};

/** Rows per page when the rows are short. */
const SHORT_ROWS = 5_000;

const ofChannel = ({ workspace, channel }: OwnLoading) =>
  rowsIn(workspace, 'set_aside').where('channel', '=', channel.name);

const deleteOf = ({ workspace, channel }: OwnLoading) =>
  deleteIn(workspace, 'set_aside').where('channel', '=', channel.name);

/** Returns the records that were set aside from a file, in line order. */
export const setAsidesOfFile = async (load: OwnLoading, file: string): Promise<readonly SetAside[]> => {
  const rows = await ofChannel(load).select('body').where('file', '=', file).orderBy('line').execute();
  return rows.map(({ body }) => JSON.parse(body) as SetAside);
};

/** Yields the outcomes of the records that were set aside from these files. */
export const asideOutcomes = (load: OwnLoading, files: readonly string[]) =>
  pagesBy(
    ofChannel(load)
      .select(['file', 'line', 'outcome', 'controls'])
      .where('gone', '=', 0)
      .where('file', 'in', files),
    ['file', 'line'],
    SHORT_ROWS,
  );

/**
 * Remove the set-aside records of a channel before a load that reads everything and so finds them again. Rejected
 * records that have a name are kept and marked as gone until they are found again, because an export that was cut short
 * may not contain them. The mark is the number of the load, so that records of several loads can have the same place.
 */
export const setRejectsBeside = async (load: Loading): Promise<void> => {
  await changeIn(load.workspace, 'set_aside')
    .set({ gone: load.number })
    .where('channel', '=', load.channel.name)
    .where('gone', '=', 0)
    .where('outcome', '=', 'rejected')
    .where('key', '<>', '')
    .execute();
  await deleteOf(load).where('gone', '=', 0).execute();
};

/** Rejected records of earlier loads that are settled although they were not found again. */
export type Settled = {
  /** The days of those of any file. Those without a date are among them. */
  readonly first: string;
  readonly last: string;
  /** The days up to which those of these files are settled, too. */
  readonly until: string;
  readonly files: readonly string[];
};

/** Delete the rejected records of earlier loads that were found again, or are settled. */
export const forgetRejects = async (load: OwnLoading, settled: Settled | undefined): Promise<void> => {
  await deleteOf(load)
    .where('gone', '>', 0)
    .where(({ or, and, eb, exists, selectFrom }) =>
      or([
        hasKeyIn('set_aside', 'sale'),
        exists(
          selectFrom('set_aside as now')
            .select('now.key')
            .where('now.gone', '=', 0)
            .whereRef('now.entity', '=', 'set_aside.entity')
            .whereRef('now.channel', '=', 'set_aside.channel')
            .whereRef('now.key', '=', 'set_aside.key'),
        ),
        ...(settled
          ? [
              eb('business_date', 'is', null),
              and([eb('business_date', '>=', settled.first), eb('business_date', '<=', settled.last)]),
              and([
                eb('business_date', '>', settled.last),
                eb('business_date', '<=', settled.until),
                eb('file', 'in', settled.files),
              ]),
            ]
          : []),
      ]),
    )
    .execute();
};
