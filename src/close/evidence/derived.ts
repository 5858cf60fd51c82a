import { join } from 'node:path';
import type { Money } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { moneyOfPrice } from '../../kernel/price.ts';
import { exceptionsOfFees } from '../figures/fee-figures.ts';
import { type FilingFigures, filingFigures, type ReturnChoice } from '../figures/filing-figures.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { GeneralLedger } from '../general-ledger/general-ledger.ts';
import { ledgerSales } from '../general-ledger/ledger-sales.ts';
import { ledgerRollForward } from '../general-ledger/roll-forward.ts';
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
import type { ChannelSetAside } from '../report/write-rejects.ts';
import { providerIn } from './derivation.ts';
import { readLog } from './log-file.ts';
import { type LoggedExtra, type LoggedSale, logPath } from './logged.ts';
import type { Derivation } from './manifest.ts';
import type { ReportRest } from './report-log.ts';
import { readSale } from './sale-text.ts';

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

type DeriveGiven = {
  readonly folder: string;
  readonly derivation: Derivation;
  readonly extras: Extras;
  readonly period: FilingPeriod;
  readonly plan: SamplingPlan;
  readonly registrations: PeriodReport['registrations'];
  /** What the seller says of its returns. */
  readonly returns: readonly ReturnChoice[];
  readonly generalLedger: GeneralLedger | undefined;
  /** Is given each sale in the order of Detail; what it answers ends the pass. */
  readonly check: (logged: LoggedSale) => string | undefined;
};

/** Add up the logs in one pass over each, as a close adds up its workspace; or what is wrong with a sale. */
export const deriveFromLogs = async (given: DeriveGiven): Promise<Derived | string> => {
  const { folder, derivation, extras, period, plan, registrations, generalLedger } = given;
  const totals = emptyTotals();
  const [implied, figures, sample, differences] = [
    impliedRateTotals(),
    filingFigures(given.returns, period),
    sampler(plan),
    differenceGatherer(),
  ];
  const booked = generalLedger && ledgerSales(generalLedger, period);
  const drafts: DraftException[] = [];
  const rows = rowCounter();
  const adjusted = new Set<string>();
  let todaysRates = 0;
  for await (const logged of readSales(folder, derivation)) {
    const problem = given.check(logged);
    if (problem !== undefined) return `${logged.sale.key}: ${problem}`;
    const { sale, reconciled, recorded } = logged;
    const row = rowOf(logged);
    addRow(totals, row);
    implied.add(row);
    figures.add(row, sale);
    sample.add(row);
    differences.add(row, reconciled?.differences ?? []);
    booked?.add(row, sale);
    drafts.push(
      ...exceptionsOfSale(row, sale, reconciled?.differences ?? [], {
        period,
        isDue: nothingDueOf(sale, registrations) === undefined,
      }),
    );
    if (reconciled) drafts.push(...exceptionsOfOpinion(row, reconciled));
    if (reconciled?.hasTodaysRates) todaysRates += 1;
    // What is filed was read from files that may be others by now, and a refund may share the rows of its order.
    if (logged.submission && sale.kind === 'order')
      rows.add(sale.channel, sale.origin.file, 'used', sale.rows);
    if (recorded) addRecorded(totals, recorded.day, sale.channel, { records: 1, ...sumsOf(recorded.record) });
    if (row.isPosted && sale.kind === 'refund')
      for (const name of adjustmentsAmong(extras, providerIn(derivation, sale), sale.id)) adjusted.add(name);
  }
  const asides: ChannelSetAside[] = [];
  for await (const line of readLog(join(folder, logPath('set-aside')))) {
    const aside = line as ChannelSetAside;
    asides.push(aside);
    rows.add(aside.channel, aside.origin.file, aside.outcome, aside.rows.length);
  }
  for (const [name, { day, channel, sums }] of extras)
    addRecorded(totals, day, channel, { records: adjusted.has(name) ? 0 : 1, ...sums });
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
      ...(generalLedger && booked && { rollForward: ledgerRollForward(generalLedger, booked, period) }),
    },
    figures,
    drafts: [
      ...drafts,
      ...asides.map(exceptionOfSetAside),
      ...exceptionsOfFees(figures.unknownFees(), period),
    ],
    asides,
    inputRows: rows.counts,
    extraRecords: extras.size - adjusted.size,
  };
};

/** The row of Detail of a logged sale. */
export const rowOf = ({ sale, posting, reconciled }: LoggedSale): DetailRow =>
  detailRowOf(sale, posting, reconciled ?? undefined);

/** The sales of the log, in the order of Detail, with all that follows from them. */
export async function* readSales(folder: string, derivation: Derivation): AsyncGenerator<LoggedSale> {
  for await (const line of readLog(join(folder, logPath('sales')))) yield readSale(line, derivation);
}

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

/** What was read back and is the record of no sale, by provider, kind and id. */
export type Extras = ReadonlyMap<
  string,
  { readonly day: string; readonly channel: string; readonly sums: RecordSums }
>;

type RecordSums = { readonly amount: Money; readonly tax: Money };

/** The extra records of a folder, or the name of one that stands there twice. */
export const readExtras = async (folder: string): Promise<Extras | string> => {
  const extras = new Map<string, { day: string; channel: string; sums: RecordSums }>();
  for await (const line of readLog(join(folder, logPath('records')))) {
    const { channel, provider, kind, id, day, record } = line as LoggedExtra;
    const name = `${provider}/${kind}/${id}`;
    if (extras.has(name)) return `${name} stands twice in the log of records`;
    extras.set(name, { day, channel, sums: sumsOf(record) });
  }
  return extras;
};

export const sumsOf = ({ amount, sales_tax: tax }: LoggedExtra['record']): RecordSums => ({
  amount: moneyOfPrice(amount),
  tax: moneyOfPrice(tax),
});

/** The names of the adjustments of a refund, which are counted from 1. */
export const adjustmentsAmong = (extras: Extras, provider: string, refund: string): readonly string[] => {
  const names: string[] = [];
  for (let number = 1; ; number += 1) {
    const name = `${provider}/refund/${adjustmentId(refund, number)}`;
    if (!extras.has(name)) return names;
    names.push(name);
  }
};
