import { join } from 'node:path';
import { unpackJson } from '../../kernel/packed-json.ts';
import { batches } from '../../runtime/batches.ts';
import { inOrder } from '../../runtime/in-order.ts';
import { exceptionsOfFees } from '../figures/fee-figures.ts';
import { type FilingFigures, filingFigures } from '../figures/filing-figures.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { GeneralLedger } from '../general-ledger/general-ledger.ts';
import { ledgerSales } from '../general-ledger/ledger-sales.ts';
import { ledgerRollForward } from '../general-ledger/roll-forward.ts';
import type { DetailLine } from '../reconcile/detail-row.ts';
import { type DraftException, exceptionOfSetAside } from '../reconcile/exceptions.ts';
import { impliedRateTotals } from '../reconcile/implied-rate-totals.ts';
import { addRecorded, emptyTotals, inKeyOrder, joinTotals } from '../reconcile/period-totals.ts';
import { differenceGatherer } from '../reconcile/record-differences.ts';
import { sampler } from '../reconcile/sampling.ts';
import type { ChannelSetAside } from '../report/write-rejects.ts';
import { logPiece, openLog, readLines, readLog } from './log-file.ts';
import { logPath } from './logged.ts';
import type { Derivation } from './manifest.ts';
import { readSales, rowOf } from './read-sales.ts';
import type { ReportRest } from './report-log.ts';
import { type RowCounts, rowCounter } from './row-counter.ts';
import type { SalesSums, SumsGiven } from './sales-sums.ts';

/** What the logs of sales, of records and of rows set aside come to by themselves. */
export type Derived = {
  /** The parts of the report that follow from them. */
  readonly report: Omit<PeriodReport, keyof ReportRest | 'signOff' | 'readiness' | 'remittances'>;
  readonly figures: FilingFigures;
  /** What a person should see of sales and of rows set aside. */
  readonly drafts: readonly DraftException[];
  readonly asides: readonly ChannelSetAside[];
  /** Rows of each input by what became of them, as far as they are of this period. */
  readonly inputRows: ReadonlyMap<string, Readonly<RowCounts>>;
  /** How many records that were read back belong to no sale. */
  readonly extraRecords: number;
};

type DeriveGiven = Pick<SumsGiven, 'extras' | 'period' | 'plan' | 'returns'> & {
  readonly folder: string;
  readonly derivation: Derivation;
  readonly generalLedger: GeneralLedger | undefined;
  /** A file for the rows of Detail. */
  readonly detail: string;
  readonly summing: Summing;
};

/** Who checks and adds up parts of the log of sales. */
export type Summing = {
  /** Parts that may be under way. */
  readonly aheadMax: number;
  readonly sumsOf: (lines: readonly string[]) => Promise<SalesSums>;
};

/** Lines of a part: some thousand characters each. */
const LINES_PER_PART = 512;

/**
 * Add up the logs in one pass over each, as a close adds up its workspace; or what is wrong with a sale. The rows of Detail
 * are kept in a file, so that the books are drawn without reading the sales once more.
 */
export const deriveFromLogs = async (given: DeriveGiven): Promise<Derived | string> => {
  const { folder, derivation, extras, period, plan, generalLedger, summing } = given;
  const totals = emptyTotals();
  const [implied, figures, sample, differences] = [
    impliedRateTotals(),
    filingFigures(given.returns, period),
    sampler(plan),
    differenceGatherer(),
  ];
  const drafts: DraftException[] = [];
  const rows = rowCounter();
  const adjusted = new Set<string>();
  let [todaysRates, parts] = [0, 0];
  const lines = readLines(join(folder, logPath('sales')));
  const detail = openLog(given.detail);
  try {
    for await (const sums of inOrder(batches(lines, LINES_PER_PART), summing.aheadMax, summing.sumsOf)) {
      if (typeof sums === 'string') return sums;
      joinTotals(totals, sums.totals);
      implied.join(sums.implied);
      figures.join(sums.filing);
      sample.join(sums.sample, String(parts));
      differences.join(sums.differences);
      drafts.push(...sums.drafts);
      rows.join(sums.rows);
      for (const name of sums.adjusted) adjusted.add(name);
      todaysRates += sums.todaysRates;
      await detail.write(logPiece([sums.detail]));
      parts += 1;
    }
    await detail.close();
  } finally {
    await detail.discard();
  }
  const draws = sample.drawn(await rowsDrawn(given.detail, sample.joined()));
  const booked = generalLedger && ledgerSales(generalLedger, period);
  if (booked)
    for await (const logged of readSales(folder, derivation)) booked.add(rowOf(logged), logged.sale);
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
      sampling: { plan, draws },
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

/** The rows of Detail in the order of the log, a page for each part of it. */
export async function* detailPages(detail: string): AsyncGenerator<readonly DetailLine[]> {
  for await (const line of readLines(detail)) yield unpackJson<DetailLine[]>(line);
}

/** @param drawn the keys of the rows that were drawn, with the number of their part */
const rowsDrawn = async (detail: string, drawn: ReadonlyMap<string, string>) => {
  const parts = new Set(drawn.values());
  const rows = new Map<string, DetailLine>();
  let part = 0;
  for await (const line of readLines(detail)) {
    if (parts.has(String(part)))
      for (const row of unpackJson<DetailLine[]>(line)) if (drawn.has(row.key)) rows.set(row.key, row);
    part += 1;
  }
  return rows;
};
