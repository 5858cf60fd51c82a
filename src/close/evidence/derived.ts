import { join } from 'node:path';
import type { Money } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { moneyOfPrice } from '../../kernel/price.ts';
import { adjustmentId } from '../reconcile/adjusted-refund.ts';
import { type DetailRow, detailRowOf } from '../reconcile/detail-row.ts';
import {
  type DraftException,
  exceptionOfSetAside,
  exceptionsOfOpinion,
  exceptionsOfSale,
} from '../reconcile/exceptions.ts';
import { impliedRateTotals } from '../reconcile/implied-rate-totals.ts';
import { nothingDueOf } from '../reconcile/nothing-due.ts';
import { addRecorded, addRow, emptyTotals, inKeyOrder } from '../reconcile/period-totals.ts';
import { differenceGatherer } from '../reconcile/record-differences.ts';
import { type SamplingPlan, sampler } from '../reconcile/sampling.ts';
import { type FilingFigures, filingFigures } from '../report/filing-figures.ts';
import type { PeriodReport } from '../report/period-report.ts';
import type { ChannelSetAside } from '../report/write-rejects.ts';
import { readLog } from './log-file.ts';
import { type LoggedRecord, type LoggedSale, logPath } from './logged.ts';
import type { ReportRest } from './report-log.ts';

/** What the logs of sales, of records and of rows set aside come to by themselves. */
export type Derived = {
  /** The parts of the report that follow from them. */
  readonly report: Omit<PeriodReport, keyof ReportRest | 'signOff' | 'readiness' | 'remittances'>;
  readonly figures: FilingFigures;
  /** What a person should see of sales and of rows set aside. */
  readonly drafts: readonly DraftException[];
  readonly asides: readonly ChannelSetAside[];
  /** Rows of each input by what became of them, as far as they are of this period. */
  readonly inputRows: ReadonlyMap<string, Readonly<Record<'used' | 'ignored' | 'rejected', number>>>;
  /** How many records that were read back belong to no sale. */
  readonly extraRecords: number;
};

export type DeriveGiven = {
  readonly folder: string;
  readonly period: FilingPeriod;
  readonly plan: SamplingPlan;
  readonly registrations: PeriodReport['registrations'];
  /** Is given each sale in the order of Detail; what it answers ends the pass. */
  readonly check: (logged: LoggedSale) => Promise<string | undefined>;
};

/** Add up the logs in one pass over each, as a close adds up its workspace; or what is wrong with a sale. */
export const deriveFromLogs = async (given: DeriveGiven): Promise<Derived | string> => {
  const { folder, period, plan, registrations } = given;
  const totals = emptyTotals();
  const [implied, figures, sample, differences] = [
    impliedRateTotals(),
    filingFigures(),
    sampler(plan),
    differenceGatherer(),
  ];
  const drafts: DraftException[] = [];
  const rows = rowCounter();
  const posted = new Set<string>();
  const refunds: string[] = [];
  let todaysRates = 0;
  for await (const line of readLog(join(folder, logPath('sales')))) {
    const logged = line as LoggedSale;
    const problem = await given.check(logged);
    if (problem !== undefined) return `${logged.sale.key}: ${problem}`;
    const { sale, reconciled, provider } = logged;
    const row = rowOf(logged);
    addRow(totals, row);
    implied.add(row);
    figures.add(row, sale);
    sample.add(row);
    differences.add(row, reconciled?.differences ?? []);
    drafts.push(
      ...exceptionsOfSale(row, sale, reconciled?.differences ?? [], {
        period,
        isDue: nothingDueOf(sale, registrations) === undefined,
      }),
    );
    if (reconciled) drafts.push(...exceptionsOfOpinion(row, reconciled));
    if (reconciled?.hasTodaysRates) todaysRates += 1;
    // What is filed was read from files that may be others by now, and a refund may share the rows of its order.
    if (logged.submission !== null && sale.kind === 'order')
      rows.add(sale.channel, sale.origin.file, 'used', sale.rows);
    if (!row.isPosted) continue;
    posted.add(`${provider}/${sale.kind}/${sale.id}`);
    if (sale.kind === 'refund') refunds.push(`${provider}/${sale.id}`);
  }
  const asides: ChannelSetAside[] = [];
  for await (const line of readLog(join(folder, logPath('set-aside')))) {
    const aside = line as ChannelSetAside;
    asides.push(aside);
    rows.add(aside.channel, aside.origin.file, aside.outcome, aside.rows.length);
  }
  const adjusted = new Set(refunds);
  let extraRecords = 0;
  for await (const line of readLog(join(folder, logPath('pull-back')))) {
    const { channel, provider, kind, id, business_date: day, record } = line as LoggedRecord;
    const isAdjustment = kind === 'refund' && adjusts(adjusted, provider, id);
    const records = isAdjustment ? 0 : 1;
    const [amount, tax] = [moneyOfPrice(record.amount), moneyOfPrice(record.sales_tax)];
    addRecorded(totals, day, channel, { records, amount, tax });
    if (!isAdjustment && !posted.has(`${provider}/${kind}/${id}`)) extraRecords += 1;
  }
  return {
    report: {
      detailRows: totals.rows,
      todaysRates,
      states: inKeyOrder(totals.states),
      jurisdictions: inKeyOrder(totals.jurisdictions),
      reasons: inKeyOrder(totals.reasons),
      stateReasons: inKeyOrder(totals.stateReasons),
      days: inKeyOrder(totals.days),
      differences: differences.all(),
      impliedRates: implied.all(),
      sampling: { plan, draws: sample.drawn() },
    },
    figures,
    drafts: [...drafts, ...asides.map(exceptionOfSetAside)],
    asides,
    inputRows: rows.counts,
    extraRecords,
  };
};

/** The row of Detail of a logged sale. */
export const rowOf = ({ sale, posting, reconciled }: LoggedSale): DetailRow =>
  detailRowOf(sale, posting, reconciled ?? undefined);

/** The tax of every record that was read back, by the provider, kind and id under which the service holds it. */
export const recordedTaxes = async (folder: string): Promise<ReadonlyMap<string, Money>> => {
  const taxes = new Map<string, Money>();
  for await (const line of readLog(join(folder, logPath('pull-back')))) {
    const { provider, kind, id, record } = line as LoggedRecord;
    taxes.set(`${provider}/${kind}/${id}`, moneyOfPrice(record.sales_tax));
  }
  return taxes;
};

const rowCounter = () => {
  const counts = new Map<string, Record<'used' | 'ignored' | 'rejected', number>>();
  return {
    counts,
    add: (channel: string, file: string, outcome: 'used' | 'ignored' | 'rejected', rows: number): void => {
      const place = `${channel}/${file}`;
      const known = counts.get(place) ?? { used: 0, ignored: 0, rejected: 0 };
      known[outcome] += rows;
      counts.set(place, known);
    },
  };
};

const ADJUSTMENT = /^(.*)-adj-(\d+)$/;

const adjusts = (refunds: ReadonlySet<string>, provider: string, id: string): boolean => {
  const [, refund = '', number = ''] = ADJUSTMENT.exec(id) ?? [];
  return refunds.has(`${provider}/${refund}`) && adjustmentId(refund, Number(number)) === id;
};
