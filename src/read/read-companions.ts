import type { RecordOutcome } from '../close/reconcile/input-exceptions.ts';
import { type RowSaying, readCompanion, refundDateReader } from '../close/sales/companion-rows.ts';
import type { Detected } from '../close/sales/detect-profile.ts';
import { isCompanionProfile, isRefundDatesProfile } from '../close/sales/load-profiles.ts';
import type { CompanionProfile, RefundDatesProfile, TaxReportProfile } from '../close/sales/profile.ts';
import type { RefundDate } from '../close/sales/refunds.ts';
import type { RowReader } from '../close/sales/row-reader.ts';
import type { SaleFinding, SetAside } from '../close/sales/sale.ts';
import { nameOfKey, saleKey } from '../close/sales/sale-name.ts';
import { type ReportedTax, reportOf, taxReportReader, withReport } from '../close/sales/tax-report.ts';
import { compareKeys } from '../kernel/text.ts';
import { batches } from '../runtime/batches.ts';
import {
  addControlsText,
  columnMeter,
  controlsText,
  noOutcomes,
  type OutcomeFigures,
} from './control-figures.ts';
import { noRowsNotice } from './file-notes.ts';
import { BATCH_ROWS, type ChannelLoad, detected, isStateFee } from './open-export.ts';
import type { DayStore } from './partitions.ts';
import {
  addRepayment,
  type ChannelReading,
  type CountedRepayment,
  type Repayments,
  repaymentCounter,
} from './read-channel.ts';
import { type ReadFile, readFile } from './read-file.ts';
import { addAside, replaceSale, type SaidOfOrder, type StatedSale, statedDigest } from './read-stores.ts';
import { orderAt } from './settle-numbers.ts';
import type { SourceFile } from './source-file.ts';
import { reportTally } from './use-tax-reports.ts';

/** The companion files of a channel, with what they say of repayments; taxes are applied to the orders. */
export type Companions = {
  readonly files: readonly { readonly read: ReadFile; readonly outcomes: LoadedCompanion['outcomes'] }[];
  readonly repayments: Repayments;
  readonly haveDates: boolean;
};

/** Reads the companion files of a channel. Its sales are known, so that what is said of an order lies by its day. */
export const readCompanions = async (reading: ChannelReading): Promise<Companions> => {
  const { stores, load, sorted } = reading;
  const channel = load.channel.name;
  const repayments: Repayments = new Map();
  const taxes = stores.besides(`taxes of ${stores.files.length} files`);
  const loaded: LoadedCompanion[] = [];
  for (const file of sorted.companions)
    loaded.push(
      await readCompanionFile(load, file, async (batch) => {
        for (const date of batch.dates) addRepayment(repayments, ofItsOrder(reading, date));
        for (const reported of batch.taxes) {
          const order = saleKey(channel, 'order', reported.order);
          const { file: name, line } = reported.origin;
          taxes.add(dayOfOrder(reading, order), { key: `${name}:${line}`, order, reported });
        }
        for (const { aside, controls } of batch.asides)
          addAside(stores, { channel, aside, record: '', controls, at: undefined });
      }),
    );
  for (const [order, rows] of reading.repayments)
    for (const [identity, repayment] of rows) {
      const own = repayments.get(order) ?? new Map();
      repayments.set(order, own.set(identity, repayment));
    }
  const report = loaded.find(({ kind }) => kind === 'tax-report');
  const compared = report ? useTaxes(reading, taxes) : [];
  taxes.end();
  const files = loaded.map((one) => {
    const notices = [...one.file.notices, ...(one === report ? compared : [])];
    return { read: { ...one.file, notices }, outcomes: one.outcomes };
  });
  return { files, repayments, haveDates: loaded.some(({ kind }) => kind === 'refund-dates') };
};

/** Returns a repayment with the order that it is of, where several have its number. */
const ofItsOrder = <Repayment extends Parameters<typeof addRepayment>[1]>(
  { numbers }: ChannelReading,
  repayment: Repayment,
): Repayment => {
  const { order, instant } = repayment;
  const records = numbers.get(order);
  return records ? { ...repayment, order: orderAt(order, records, instant) } : repayment;
};

const dayOfOrder = ({ stores }: ChannelReading, key: string): string => {
  const seen = stores.keys.get(key);
  return seen?.isSale ? seen.day : '';
};

/** Adds the taxes by jurisdiction of tax reports to their orders, and compares the two. */
const useTaxes = ({ stores }: ChannelReading, taxes: DayStore<SaidOfOrder>): readonly SaleFinding[] => {
  const tally = reportTally();
  for (const day of taxes.days()) {
    const byOrder = Map.groupBy(taxes.take(day), ({ order }) => order);
    const orders = new Map<string, StatedSale>();
    for (const found of stores.sales.find(day, (key) => byOrder.has(key))) orders.set(found.key, found);
    for (const [key, items] of byOrder) {
      const rows = items.flatMap((item) => ('reported' in item ? item.reported : []));
      rows.sort(
        (one, other) =>
          compareKeys(one.origin.file, other.origin.file) || one.origin.line - other.origin.line,
      );
      const report = reportOf(rows);
      const found = orders.get(key);
      const used = found && withReport({ order: found.sale, refunded: found.refunded }, report, isStateFee);
      tally.reported(nameOfKey(key).id, report, used && { ...used, before: found.sale });
      if (used) replaceSale(stores, found, used.order, statedDigest(used.order));
    }
  }
  return tally.notices();
};

/** A companion file that was read, with the outcomes of its rows. */
export type LoadedCompanion = {
  readonly file: ReadFile;
  readonly outcomes: OutcomeFigures;
  readonly kind: CompanionProfile['capability'];
};

/** What some rows of a companion file say, and those that cannot be read with their control totals. */
export type CompanionBatch = {
  readonly dates: readonly CountedRepayment[];
  readonly taxes: readonly ReportedTax[];
  readonly asides: readonly { readonly aside: SetAside; readonly controls: string }[];
};

type Reading = Pick<ChannelLoad, 'configuration' | 'channel' | 'profiles' | 'repaired'>;

/** Reads a companion file in batches. */
export const readCompanionFile = async (
  load: Reading,
  file: SourceFile,
  keep: (batch: CompanionBatch) => Promise<void>,
): Promise<LoadedCompanion> => {
  const found = await detected(load, file, isCompanionProfile);
  const { profile } = found;
  if (!isRefundDatesProfile(profile))
    return readRows(load, file, found, taxReport(profile, found.header), (taxes, asides) =>
      keep({ dates: [], taxes, asides }),
    );
  const counted = repaymentCounter();
  return readRows(load, file, found, refundDates(load, profile), (said, asides) =>
    keep({ dates: said.map(counted), taxes: [], asides }),
  );
};

/** How one kind of companion file is read. */
type Kind<Said> = {
  readonly controls: readonly string[];
  readonly sayingOf: (read: RowReader) => RowSaying<Said>;
};

const zonesOf = ({ configuration: { timeZone }, channel }: Reading) => ({
  timeZone,
  channelZone: channel.timeZone ?? timeZone,
  statedZone: channel.timeZone,
});

const refundDates = (load: Reading, profile: RefundDatesProfile): Kind<RefundDate> => {
  const { amount } = profile.map;
  return {
    controls: typeof amount === 'string' ? [amount] : [],
    sayingOf: refundDateReader(profile, zonesOf(load)),
  };
};

const taxReport = (profile: TaxReportProfile, header: readonly string[]): Kind<ReportedTax> => ({
  controls: profile.taxLines.lines.flatMap(({ amount }) => (typeof amount === 'string' ? [amount] : [])),
  sayingOf: taxReportReader(profile, header),
});

const OUTCOMES = { said: 'accepted', other: 'ignored', rejected: 'rejected' } as const;

const readRows = async <Said extends object>(
  load: Reading,
  file: SourceFile,
  found: Detected & { readonly profile: CompanionProfile },
  { controls, sayingOf }: Kind<Said>,
  keep: (said: readonly Said[], asides: CompanionBatch['asides']) => Promise<void>,
): Promise<LoadedCompanion> => {
  const { profile, header, notices } = found;
  const meter = columnMeter({ place: file.place, header, profile, controls });
  const outcomes = noOutcomes(meter.columns.length);
  const repaired = load.repaired.places.get(file.sha256);
  for await (const batch of batches(readCompanion(file, found, profile, sayingOf), BATCH_ROWS)) {
    const said: Said[] = [];
    const asides: CompanionBatch['asides'][number][] = [];
    for (const row of batch) {
      meter.pass(row.row);
      const controls = controlsText(meter.of([row.row]));
      const isRepaired = repaired?.has(row.row.line) ?? false;
      const outcome: RecordOutcome = isRepaired ? 'ignored' : OUTCOMES[row.kind];
      outcomes[outcome].records += 1;
      addControlsText(outcomes[outcome], controls, file.place);
      if (isRepaired) continue;
      if (row.kind === 'said') said.push(row.said);
      if (row.kind === 'rejected') asides.push({ aside: row.aside, controls });
    }
    await keep(said, asides);
  }
  const passed = { columns: meter.columns, ...meter.passed() };
  const all = [...notices, ...noRowsNotice(passed.whole.rows)];
  return { file: readFile(file, found, passed, all), outcomes, kind: profile.capability };
};
