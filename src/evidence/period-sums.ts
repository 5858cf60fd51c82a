import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import { certificateGatherer } from '../certificates/certificate-report.ts';
import { filingFigures } from '../figures/filing-figures.ts';
import { lateLines } from '../figures/late-line.ts';
import { isDecided } from '../judge/apply-policy.ts';
import { findingList } from '../judge/clusters.ts';
import { decisionIndex } from '../judge/decision.ts';
import { type DetailLine, type DetailRow, detailLineOf } from '../judge/detail-row.ts';
import { channelTotals, deniedNexus } from '../judge/expected-totals.ts';
import { nothingDueOf } from '../judge/explain-variance.ts';
import type { Finding } from '../judge/finding.ts';
import { addRecorded, addRow, emptyTotals } from '../judge/period-totals.ts';
import { findingOfSetAside, findingsOfEntry, findingsOfExempt } from '../judge/sale-findings.ts';
import { compareText } from '../kernel/text.ts';
import { entryOf, type LateVersion, nameOfKey, replacements } from '../sales/sale-name.ts';
import { type Entry, recordedOf, rowOf } from './entry.ts';
import type { Frame } from './frame.ts';
import { rowCounter } from './log-file.ts';
import { refundSums } from './refund-sums.ts';
import { addStray, type Stray } from './stray.ts';

/** What the sums of a period depend on beside its entries. */
export type PeriodSumsSettings = Pick<
  Frame,
  'period' | 'registrations' | 'lockedDays' | 'decisions' | 'certificates'
> & {
  /** Tells the orders that a refund of the period belongs to. */
  readonly refunded: { readonly has: (key: string) => boolean };
};

/** The row of an entry that is late for a locked period. */
type LateRow = {
  readonly row: DetailLine;
  readonly version: LateVersion;
};

/**
 * The sums of a period: of its entries, of its strays, and of the records that were set aside, each added in any order.
 * Memory grows with refunds, corrections and what is set aside, not with sales.
 */
export type PeriodSums = ReturnType<typeof periodSums>;

export const periodSums = (settings: PeriodSumsSettings) => {
  const { period, registrations, lockedDays, refunded } = settings;
  const decisions = decisionIndex(settings.decisions);
  const findings = findingList((draft) => isDecided(draft, decisions, period));
  const totals = emptyTotals();
  const channels = channelTotals(period);
  const filing = filingFigures(registrations, period);
  const denied = deniedNexus();
  const rows = rowCounter();
  const replaced = replacements();
  const refunds = refundSums(period, replaced);
  const late: LateRow[] = [];
  const certificates = certificateGatherer(settings.certificates ?? undefined, period.last);
  const ofExempt: {
    readonly key: string;
    readonly finding: Finding;
  }[] = [];
  const asides: ChannelSetAside[] = [];
  let todaysRates = 0;
  const addLate = (row: DetailLine, version: LateVersion): void => {
    late.push({ row, version });
    refunds.earlier.seeRow(row);
    replaced.see(entryOf(row));
  };
  const addExempt = ({ sale, figures, version }: Entry, row: DetailRow): void => {
    const { exemption } = figures ?? {};
    if (!exemption) return;
    certificates.add({ customerId: sale.customerId, amount: row.gross, exemption });
    // What a reversal takes back was found, and decided, with the record that was filed.
    if (version?.isReversal || row.reasons.some(({ code }) => code === 'R08')) return;
    for (const finding of findingsOfExempt({ ...row, origin: sale.origin, exemption }))
      ofExempt.push({ key: sale.key, finding });
  };
  return {
    decisions,
    findings,
    totals,
    channels,
    filing,
    denied,
    rows,
    late,
    refunds,
    certificates: certificates.report,
    asides,
    /** Adds an entry, and returns its row of Detail. */
    add: (entry: Entry): DetailLine => {
      const { sale, figures, filed, version } = entry;
      const row = rowOf(entry);
      const line = detailLineOf(row);
      const isDue = nothingDueOf(sale, registrations) === undefined;
      addRow(totals, row, { period, lockedDays });
      for (const { day, ...recorded } of recordedOf(entry)) addRecorded(totals, day, sale.channel, recorded);
      channels.add(row, sale);
      filing.add(row, sale);
      findingsOfEntry(entry, row, { period, isDue }).forEach(findings.add);
      if (version) addLate(line, version);
      if (sale.kind === 'order' && !filed && !version && refunded.has(sale.key)) refunds.addOrder(sale);
      // The reversal of a filed record does not repay anything.
      if (sale.kind === 'refund' && !version?.isReversal) refunds.add(row, sale);
      refunds.addBeyond(entry, row);
      if (figures?.hasTodaysRates) todaysRates += 1;
      if (figures && !filed && isDue) denied.add(sale, figures);
      addExempt(entry, row);
      // A filed sale was read from files that may have been replaced since, and a refund may share the rows of its order.
      if (figures !== undefined && !filed && sale.kind === 'order')
        rows.add(sale.channel, sale.origin.file, 'used', sale.rows);
      return line;
    },
    addStray: (stray: Stray): void => addStray(totals, stray).forEach(findings.add),
    addAside: (aside: ChannelSetAside): void => {
      asides.push(aside);
      findings.add(findingOfSetAside(aside));
      rows.add(aside.channel, aside.origin.file, aside.outcome, aside.rows.length);
    },
    todaysRates: (): number => todaysRates,
    /** The findings of exempt sales that no reversal of the period takes back. */
    findingsOfExempt: (): readonly Finding[] =>
      ofExempt.flatMap(({ key, finding }) => (replaced.isReplaced(entryOf(nameOfKey(key))) ? [] : finding)),
    /** What late records change. */
    lateLines: () => {
      const lines = lateLines();
      for (const { row, version } of late.sort(lateByPlace)) lines.add(row, version);
      return lines.lines();
    },
  };
};

const lateByPlace = (one: LateRow, other: LateRow): number =>
  compareText(one.row.businessDate, other.row.businessDate) || compareText(one.row.key, other.row.key);
