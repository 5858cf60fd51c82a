import { ZERO } from '../kernel/money.ts';
import { compareKeys, shownNumber } from '../kernel/text.ts';
import { readCompanion, refundDateReader } from '../sales/companion-rows.ts';
import { isCompanionProfile, isRefundDatesProfile } from '../sales/load-profiles.ts';
import type { CompanionProfile } from '../sales/profile.ts';
import type { RefundDate } from '../sales/refunds.ts';
import type { SaleFinding } from '../sales/sale.ts';
import { saleKey } from '../sales/sale-name.ts';
import { DIFFERS, type ReportedTax, reportOf, taxReportReader, withReport } from '../sales/tax-report.ts';
import { columnMeter, fileTally, type OutcomeFigures } from './control-figures.ts';
import { noRowsNotice } from './file-notes.ts';
import { detected, isStateFee } from './open-export.ts';
import type { DayStore } from './partitions.ts';
import { addRepayment, type ChannelReading, type Repayments, repaymentCounter } from './read-channel.ts';
import { type ReadFile, readFile } from './read-file.ts';
import { addAside, replaceSale, type SaidOfOrder, type StatedSale, statedDigest } from './read-stores.ts';
import { orderAt } from './settle-numbers.ts';
import type { SourceFile } from './source-file.ts';

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
  for (const file of sorted.companions) {
    const counted = repaymentCounter();
    const keep = (said: Said): void => {
      if ('instant' in said) {
        addRepayment(repayments, ofItsOrder(reading, counted(said)));
        return;
      }
      const order = saleKey(channel, 'order', said.order);
      const key = `${said.origin.file}:${said.origin.line}`;
      taxes.add(dayOfOrder(reading, order), { key, order, reported: said });
    };
    loaded.push(await readCompanionFile(reading, file, keep));
  }
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
  const differing: string[] = [];
  const absent: string[] = [];
  let reported = 0;
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
      if (used) replaceSale(stores, found, used, statedDigest(used));
      if (used?.findings.some(({ code }) => code === DIFFERS)) differing.push(report.name);
      if (!used && report.tax !== ZERO) absent.push(report.name);
      reported += 1;
    }
  }
  if (differing.length + absent.length === 0)
    return [{ code: 'tax-report-agrees', message: `${shownNumber(reported, 'order')} as in the exports` }];
  const message = `${shownNumber(reported, 'order')} in the report${namesOf('with another tax', differing)}${namesOf('not in the exports', absent)}`;
  return [{ code: 'tax-report-totals', message }];
};

/** The most orders that are named for each difference. */
const NAMED_MAX = 3;

const namesOf = (what: string, names: readonly string[]): string => {
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
  return names.length === 0
    ? ''
    : `; ${what}: ${names.toSorted(compareKeys).slice(0, NAMED_MAX).join(', ')}${more}`;
};

/** A companion file that was read, with the outcomes of its rows. */
type LoadedCompanion = {
  readonly file: ReadFile;
  readonly outcomes: OutcomeFigures;
  readonly kind: CompanionProfile['capability'];
};

/** What a row of a companion file says of an order: a repayment, or its tax. */
type Said = RefundDate | ReportedTax;

/** Reads a companion file. Rows that cannot be read are set aside. */
const readCompanionFile = async (
  { stores, load }: ChannelReading,
  file: SourceFile,
  keep: (said: Said) => void,
): Promise<LoadedCompanion> => {
  const found = await detected(load, file, isCompanionProfile);
  const { profile, header, notices } = found;
  const { configuration, channel } = load;
  const zones = {
    timeZone: configuration.timeZone,
    channelZone: channel.timeZone ?? configuration.timeZone,
    statedZone: channel.timeZone,
  };
  const isOfDates = isRefundDatesProfile(profile);
  const sayingOf = isOfDates ? refundDateReader(profile, zones) : taxReportReader(profile, header);
  const amounts = isOfDates ? [profile.map.amount] : profile.taxLines.lines.map(({ amount }) => amount);
  const controls = amounts.filter((amount) => typeof amount === 'string');
  const meter = columnMeter({ place: file.place, header, profile, controls });
  const tally = fileTally(meter.columns.length, file.place);
  const repaired = load.repaired.places.get(file.sha256);
  for await (const read of readCompanion<Said>(file, found, profile, sayingOf)) {
    const { row, kind } = read;
    meter.pass(row);
    const own = meter.of([row]);
    const isRepaired = repaired?.has(row.line) ?? false;
    tally.count(isRepaired ? 'ignored' : OUTCOMES[kind], own, 1);
    if (isRepaired || kind === 'other') continue;
    if (kind === 'said') keep(read.said);
    else
      addAside(stores, {
        channel: channel.name,
        aside: read.aside,
        record: '',
        controls: own,
        at: undefined,
      });
  }
  const passed = { columns: meter.columns, ...meter.passed() };
  const all = [...notices, ...noRowsNotice(passed.whole.rows)];
  return { file: readFile(file, found, passed, all), outcomes: tally.outcomes(), kind: profile.capability };
};

const OUTCOMES = { said: 'accepted', other: 'ignored', rejected: 'rejected' } as const;
