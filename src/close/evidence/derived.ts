import { join } from 'node:path';
import { unpackJson } from '../../kernel/packed-json.ts';
import { batches } from '../../runtime/batches.ts';
import { inOrder } from '../../runtime/in-order.ts';
import { exceptionsOfFees } from '../figures/fee-figures.ts';
import { type FilingFigures, filingFigures } from '../figures/filing-figures.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { correctedFindings } from '../reconcile/corrected-findings.ts';
import type { DetailLine } from '../reconcile/detail-row.ts';
import { earlierTaxGivenBack } from '../reconcile/earlier-tax.ts';
import { exceptionOfSetAside } from '../reconcile/exceptions.ts';
import { addRecorded, emptyTotals, inKeyOrder, joinTotals } from '../reconcile/period-totals.ts';
import { exceptionsOfRefund } from '../reconcile/refund-exceptions.ts';
import type { RefundLink } from '../reconcile/refund-link.ts';
import type { ChannelSetAside } from '../report/write-rejects.ts';
import { entryOf, replacements } from '../sales/corrections.ts';
import type { ExceptionsCheck } from './exceptions-check.ts';
import { logPiece, openLog, readLines, readLog } from './log-file.ts';
import { logPath } from './logged.ts';
import type { ReportRest } from './report-log.ts';
import { type RowCounts, rowCounter } from './row-counter.ts';
import type { SalesSums, SumsGiven } from './sales-sums.ts';

/** The results that follow from the logs of sales, records, refunds and set-aside rows alone. */
export type Derived = {
  /** The parts of the report that follow from them. */
  readonly report: Omit<PeriodReport, keyof ReportRest | 'signOff' | 'readiness' | 'remittances'>;
  readonly figures: FilingFigures;
  readonly asides: readonly ChannelSetAside[];
  /** Rows of each input by outcome, limited to this period. */
  readonly inputRows: ReadonlyMap<string, Readonly<RowCounts>>;
  /** Number of records read back that do not belong to a sale. */
  readonly extraRecords: number;
};

type DeriveGiven = Pick<SumsGiven, 'extras' | 'period' | 'returns'> & {
  readonly folder: string;
  /** The file to store the rows of Detail in. */
  readonly detail: string;
  /** The keys of the records of which the log of sales has a late version. */
  readonly late: ReadonlySet<string>;
  /** Is shown the exceptions of sales, of rows that are set aside, and of fees. */
  readonly exceptions: ExceptionsCheck;
  readonly summing: Summing;
};

/** Checks and sums parts of the log of sales, in this thread or in workers. */
export type Summing = {
  /** Maximum number of parts in progress. */
  readonly aheadMax: number;
  readonly sumsOf: (lines: readonly string[]) => Promise<SalesSums>;
};

/** Lines per part; a line has some thousand characters. */
const LINES_PER_PART = 512;

/**
 * Sums the logs in one pass over each, as a close sums its workspace, or returns the problem of a sale. The rows of
 * Detail are stored in a file, so that the books can be drawn without reading the sales again.
 */
export const deriveFromLogs = async (given: DeriveGiven): Promise<Derived | string> => {
  const { folder, extras, period, exceptions, summing } = given;
  const totals = emptyTotals();
  const figures = filingFigures(given.returns, period);
  const rows = rowCounter();
  const adjusted = new Set<string>();
  const earlier = earlierTaxGivenBack(period);
  const replaced = replacements();
  const findings = correctedFindings(given.late);
  let todaysRates = 0;
  const lines = readLines(join(folder, logPath('sales')));
  const detail = openLog(given.detail);
  try {
    for await (const sums of inOrder(batches(lines, LINES_PER_PART), summing.aheadMax, summing.sumsOf)) {
      if (typeof sums === 'string') return sums;
      joinTotals(totals, sums.totals);
      figures.join(sums.filing);
      for (const found of sums.found) findings.see(found).forEach(exceptions.see);
      rows.join(sums.rows);
      for (const name of sums.adjusted) adjusted.add(name);
      sums.lateRows.forEach(earlier.seeRow);
      for (const row of sums.lateRows) replaced.see(entryOf(row));
      todaysRates += sums.todaysRates;
      await detail.write(logPiece([sums.detail]));
    }
    await detail.close();
  } finally {
    await detail.discard();
  }
  findings.judged().forEach(exceptions.see);
  const asides: ChannelSetAside[] = [];
  for await (const line of readLog(join(folder, logPath('set-aside')))) {
    const aside = line as ChannelSetAside;
    asides.push(aside);
    exceptions.see(exceptionOfSetAside(aside));
    rows.add(aside.channel, aside.origin.file, aside.outcome, aside.rows.length);
  }
  for await (const line of readLog(join(folder, logPath('refunds')))) {
    const link = line as RefundLink;
    const isReplaced = replaced.isReplaced(entryOf({ ...link, kind: 'refund' }));
    if ((link.isReplaced === true) !== isReplaced)
      return `refund ${link.id}: the log of refunds and the log of sales differ on whether it is reversed`;
    exceptionsOfRefund(link).forEach(exceptions.see);
    earlier.see(link);
  }
  exceptionsOfFees(figures.unknownFees(), period).forEach(exceptions.see);
  for (const [name, { day, channel, sums }] of extras.records)
    addRecorded(totals, day, channel, { records: adjusted.has(name) ? 0 : 1, ...sums });
  return {
    report: {
      detailRows: totals.rows,
      todaysRates,
      states: inKeyOrder(totals.states),
      jurisdictions: inKeyOrder(totals.jurisdictions),
      reasons: inKeyOrder(totals.reasons),
      stateReasons: inKeyOrder(totals.stateReasons),
      earlierTax: earlier.all(),
      days: inKeyOrder(totals.days),
      unposted: inKeyOrder(totals.unposted),
    },
    figures,
    asides,
    inputRows: rows.counts,
    extraRecords: extras.records.size - adjusted.size,
  };
};

/** Yields the rows of Detail in the order of the log, one page per part. */
export async function* detailPages(detail: string): AsyncGenerator<readonly DetailLine[]> {
  for await (const line of readLines(detail)) yield unpackJson<DetailLine[]>(line);
}
