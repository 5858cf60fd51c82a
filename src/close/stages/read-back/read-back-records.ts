import { addDays, earlierOf, laterOf, startOfUtcDay, zoneCalendar } from '../../../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../../../kernel/period.ts';
import { shownCount as shown, shownNumber } from '../../../kernel/shown-figures.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { providersOf, providersReadBack } from '../../configuration/provider-of.ts';
import type { RecordName } from '../../period-sales/recorded-sale.ts';
import { type RecordedSale, recordedStage } from '../../period-sales/recorded-sale.ts';
import { type NamesPage, postedNamesOf } from '../../period-sales/sale-names.ts';
import { filedAndCarriedPages } from '../../period-sales/sales-of.ts';
import { submittedStage } from '../../period-sales/submitted-sale.ts';
import { sweepPages } from '../../period-sales/sweep-pages.ts';
import { allLocks } from '../../workspace/locks.ts';
import { beginningOf } from '../../workspace/sale-page.ts';
import { forgetRecorded, keepRecorded } from '../../workspace/sent-records.ts';
import { keepPage, pageHeads, readPage } from '../../workspace/stage-pages.ts';
import { extraRecordsState } from '../../workspace/state-digests.ts';
import { type Pass, unlessDone } from '../inputs/done-before.ts';
import { type ListedWindow, listedWindows } from '../listing/listed-windows.ts';
import { type PagesOfPeriod, type ShownRecords, windowKeys, windowSales } from '../listing/window-sales.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { allAnswers, inLists } from '../run/service-lists.ts';
import { byPages } from '../sharing/by-pages.ts';
import { lostRecords } from './lost-records.ts';
import { readBackPages } from './read-back-pages.ts';
import { type ExtraRow, type ListedRecord, unshownRow } from './unshown.ts';

export type ReadBackFigures = {
  readonly listed: number;
  readonly read: number;
  /** Records that are listed but not shown. */
  readonly unshown: number;
  /** Records of a locked period that the service does not have any more, if there are any. */
  readonly lost?: number;
};

/**
 * Read back everything that the service has for the period: the record of each sale, and all other records that it
 * lists for its days. Every record is read, because listings contain only ids and nothing in the interface says what is
 * unchanged. Only the embedded service can tell on which days its records have changed; records of other days are not
 * read again. If the service does not list the record of a sale for its day, the sale does not count as recorded.
 */
export const readBackRecords = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<ReadBackFigures>> => {
  const { workspace } = ports;
  const mark = await ports.service.recordsMark?.();
  const locks = await allLocks(workspace);
  if (locks.some(({ label, state }) => label === period.label && state === 'locked'))
    return lockedResult(await lostOfLocked(ports, period, mark));
  const figures = await unlessDone(ports, readBackPass(ports, period, mark), () =>
    readAll(ports, period, advanced),
  );
  return { value: figures, summary: `${shown(figures.read)} records read back` };
};

const lockedResult = (lost: number): StageResult<ReadBackFigures> => ({
  value: { listed: 0, read: 0, unshown: 0, ...(lost > 0 && { lost }) },
  summary:
    lost === 0
      ? 'nothing to read: the period is locked'
      : `the service lacks ${shownNumber(lost, 'record')} of the locked period`,
});

/**
 * A locked period is not read back. If the service can tell whether its records have changed, this checks that it still
 * has them, and returns how many it lacks.
 */
const lostOfLocked = async (
  ports: ClosePorts,
  period: FilingPeriod,
  mark: string | undefined,
): Promise<number> => {
  const pass: Pass<{ readonly lost: number }> = {
    name: 'lost records',
    period,
    stages: [],
    further: async () => ({ mark: mark ?? null }),
    again: (figures) => figures,
  };
  const look = async () => ({ lost: await lostRecords(ports, period) });
  return mark === undefined ? 0 : (await unlessDone(ports, pass, look)).lost;
};

/**
 * Returns the read-back pass. It is repeated if the service cannot tell that its records are unchanged, or if it
 * contradicted itself.
 */
const readBackPass = (
  ports: ClosePorts,
  period: FilingPeriod,
  mark: string | undefined,
): Pass<ReadBackFigures> => ({
  name: 'read back',
  period,
  stages: [submittedStage(ports), recordedStage(ports)],
  further: async () => ({ mark: mark ?? null, records: await extraRecordsState(ports.workspace) }),
  again: (figures) => (mark === undefined || figures.unshown > 0 ? undefined : figures),
});

const readAll = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<ReadBackFigures> => {
  const { workspace } = ports;
  const own =
    (await byPages(ports, { stage: 'read-back', period, counted: { read: 0 } }, advanced)) ??
    (await readBackPages(ports, postedNamesOf(workspace, period), advanced));
  const slots: string[] = [];
  const filed = await readBackPages(ports, filedPages(ports, period, slots), advanced);
  await sweepPages(workspace, recordedStage(ports), period);
  const read = own.read + filed.read;
  const others = await readExtraRecords(ports, { period, slots }, (more) => advanced(read + more));
  return { ...others, read: read + others.read };
};

/**
 * Yields the posted sales of locked days, because their records in the service belong to the books, too. Adds to
 * `slots` the slots of all pages of the period that are not open days.
 */
async function* filedPages(
  { workspace }: ClosePorts,
  period: FilingPeriod,
  slots: string[],
): AsyncGenerator<NamesPage> {
  for await (const { slot, sales } of filedAndCarriedPages(workspace, period)) {
    slots.push(slot);
    const filed = sales.filter(({ posting, filed }) => posting === 'posted' && filed !== undefined);
    if (filed.length > 0) yield { slot, sales: filed.map(({ sale }) => sale) };
  }
}

/**
 * Compares what the service lists for the days of the period with its sales, and reads the records that do not belong
 * to them.
 */
const readExtraRecords = async (
  ports: ClosePorts,
  { period, slots }: PagesOfPeriod,
  advanced: Advanced,
): Promise<ReadBackFigures> => {
  const { configuration } = ports;
  // Each reading starts by deleting the stored records that do not belong to a sale of the period.
  await forgetRecorded(ports, period);
  const total = { listed: 0, read: 0 };
  const unshown: Unshown[] = [];
  for await (const window of listedWindows(ports, period, providersReadBack(configuration))) {
    const isWithinWindow = withinWindow(window);
    const own = await windowSales(
      ports,
      { period, slots },
      window,
      (id, instant) => window.ids.has(id) || isWithinWindow(instant),
    );
    total.listed += window.fresh.length;
    await dropUnlisted(ports, period, window, own);
    const { provider, kind } = window;
    const unknown = window.fresh.filter((id) => !own.has(id));
    const names = unknown.map((id) => ({ provider, kind, id }));
    const records = allAnswers(await inLists(ports)(names, (list) => ports.service.showMany(list)));
    const rows = names.flatMap((name, index) => {
      const record = records[index];
      return (record && rowOf(ports, period, name, record)) ?? [];
    });
    const { first, last } = window;
    for (const [index, name] of names.entries())
      if (!records[index])
        unshown.push({ ...name, day: dayWithin(window, period), window: { provider, kind, first, last } });
    total.read += rows.length;
    await keepRecorded(ports, rows);
    advanced(total.read);
  }
  const nowhere = await stillListed(ports, await shownNowhere(ports, { period, slots }, unshown));
  await keepRecorded(ports, nowhere.map(unshownRow));
  return { ...total, unshown: nowhere.length };
};

/** A record that was listed but not shown, with the window in which it was listed. */
type Unshown = ListedRecord & {
  readonly window: Pick<ListedWindow, 'provider' | 'kind' | 'first' | 'last'>;
};

/**
 * Returns the records that are still listed. Others may have been deleted in the meantime, for example by the close of
 * a neighbouring month.
 */
const stillListed = async (
  ports: ClosePorts,
  unshown: readonly Unshown[],
): Promise<readonly ListedRecord[]> => {
  const found: ListedRecord[] = [];
  for (const [, of] of Map.groupBy(unshown, ({ window }) => JSON.stringify(window))) {
    const { provider, kind, first, last } = (of[0] as Unshown).window;
    const listed = new Set<string>();
    for await (const window of listedWindows(ports, { first, last }, [provider]))
      if (window.kind === kind) for (const id of window.ids) listed.add(id);
    found.push(...of.filter(({ id }) => listed.has(id)).map(({ window: _, ...record }) => record));
  }
  return found;
};

/**
 * Returns the records that are not shown under any source. A listing may ignore the source; then a record is listed for
 * every source but shown only for its own.
 */
const shownNowhere = async (
  ports: ClosePorts,
  of: PagesOfPeriod,
  unshown: readonly Unshown[],
): Promise<readonly Unshown[]> => {
  let left = unshown;
  for (const kind of ['order', 'refund'] as const) {
    for (const provider of left.some((one) => one.kind === kind) ? providersOf(ports.configuration) : []) {
      const { first, last } = of.period;
      const wanted = new Set(left.map(({ id }) => id));
      const window = { provider, kind, first, last };
      const own = await windowSales(ports, of, window, (id) => wanted.has(id));
      left = left.filter((one) => one.kind !== kind || !own.has(one.id));
    }
  }
  return left;
};

/** Returns the row of a record that is dated in the period. A service may ignore the source that a listing asks for. */
const rowOf = (
  { configuration }: ClosePorts,
  period: FilingPeriod,
  { provider, kind, id }: RecordName,
  record: RecordedSale['record'],
): ExtraRow | undefined => {
  if (!providersOf(configuration).includes(provider) && record.provider !== provider) return undefined;
  const date = zoneCalendar(configuration.timeZone).dateAt(record.transaction_date);
  if (!isWithin(period, date)) return undefined;
  return {
    provider,
    kind,
    id,
    instant: record.transaction_date,
    business_date: date,
    body: JSON.stringify(record),
  };
};

/**
 * Drops records that the service shows but does not list for their day: a reader of the listing would not find them, so
 * they do not count as recorded.
 */
const dropUnlisted = async (
  ports: ClosePorts,
  period: FilingPeriod,
  window: ListedWindow,
  own: ShownRecords,
): Promise<void> => {
  const { workspace } = ports;
  const isWithinWindow = withinWindow(window);
  const unlisted = new Set<string>();
  for (const [id, instant] of own) if (!window.ids.has(id) && isWithinWindow(instant)) unlisted.add(id);
  if (unlisted.size === 0) return;
  const near = {
    first: beginningOf(laterOf(period.first, addDays(window.first, -1))),
    last: beginningOf(earlierOf(period.last, addDays(window.last, 1))),
  };
  const stage = recordedStage(ports);
  const isOfWindow = windowKeys(ports, window);
  for (const { slot } of await pageHeads(workspace, stage, near)) {
    const page = await readPage<RecordedSale>(workspace, stage, slot);
    const rows = page?.rows.filter(({ key, record }) => {
      const { transaction_date: date, transaction_id: id } = record;
      return !(isOfWindow(key) && unlisted.has(id) && isWithinWindow(date));
    });
    if (!page || !rows || rows.length === page.rows.length) continue;
    const open = page.open + page.rows.length - rows.length;
    await keepPage(workspace, stage, slot, { input: page.input, open, rows });
  }
};

const withinWindow = ({ first, last }: Pick<ListedWindow, 'first' | 'last'>) => {
  const [start, end] = [startOfUtcDay(first), startOfUtcDay(addDays(last, 1))];
  return (instant: number): boolean => start <= instant && instant < end;
};

/** Returns the first day of the window that belongs to the period. */
const dayWithin = ({ first }: ListedWindow, period: FilingPeriod) => {
  if (first < period.first) return period.first;
  return first > period.last ? period.last : first;
};
