import type { ExemptSale } from '../certificates/certificate-report.ts';
import { filingFigures } from '../figures/filing-figures.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { type GivenBackBeyond, givenBackBeyond } from '../figures/row-parts.ts';
import { type DetailLine, type DetailRow, detailLineOf } from '../judge/detail-row.ts';
import { channelTotals, deniedNexus } from '../judge/expected-totals.ts';
import { nothingDueOf } from '../judge/explain-variance.ts';
import { type Finding, isDecidedByTax } from '../judge/finding.ts';
import { addRecorded, addRow, emptyTotals } from '../judge/period-totals.ts';
import { REASONS } from '../judge/reason.ts';
import { type RefundedOrder, type Repayment, refundedOrderOf, repaymentOf } from '../judge/refund-link.ts';
import { findingsOfExempt, findingsOfOpinion, findingsOfSale } from '../judge/sale-findings.ts';
import { moneyOfPrice, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { LateVersion } from '../sales/sale-name.ts';
import { type Entry, rowOf } from './entry.ts';
import { rowCounter } from './log-file.ts';

/** What sums depend on beside the entries, as plain data. */
export type SumsSettings = {
  readonly period: FilingPeriod;
  readonly registrations: PeriodReport['registrations'];
  readonly lockedDays: PeriodReport['lockedDays'];
};

/** A finding about an exempt sale, with the key of the sale. */
type ExemptFinding = { readonly key: string; readonly finding: Finding };

/** The row of an entry that is late for a locked period. */
type LateRow = { readonly row: DetailLine; readonly version: LateVersion };

/** The sums of some entries, as plain data. `periodSums` joins them. */
export type Sums = ReturnType<typeof sumsOf>;

/** Adds up entries. */
export const sumsOf = (entries: readonly Entry[], { period, registrations, lockedDays }: SumsSettings) => {
  const totals = emptyTotals();
  const channels = channelTotals(period);
  const filing = filingFigures(registrations, period);
  const denied = deniedNexus();
  const rows = rowCounter();
  const exempt: { readonly sales: ExemptSale[]; readonly findings: ExemptFinding[] } = {
    sales: [],
    findings: [],
  };
  const found: Finding[] = [];
  const late: LateRow[] = [];
  const refunds: Repayment[] = [];
  const beyond: GivenBackBeyond[] = [];
  const orders: (readonly [string, RefundedOrder])[] = [];
  let todaysRates = 0;
  for (const entry of entries) {
    const { sale, figures, filed, version, sent } = entry;
    const row = rowOf(entry);
    const isReversal = version?.isReversal === true;
    const isDue = nothingDueOf(sale, registrations) === undefined;
    addRow(totals, row, { period, lockedDays });
    for (const { day, records, amount, tax } of recordedOf(entry))
      addRecorded(totals, day, sale.channel, { records, amount, tax });
    channels.add(row, sale);
    filing.add(row, sale);
    found.push(...findingsOf(entry, row, { period, isDue }));
    if (version) late.push({ row: detailLineOf(row), version });
    if (sale.kind === 'order' && !filed && !version) orders.push([sale.key, refundedOrderOf(sale)]);
    // The reversal of a filed record does not repay anything.
    if (sale.kind === 'refund' && !isReversal) refunds.push(repaymentOf(row, sale));
    const correction = correctionOf(entry);
    if (sale.kind === 'refund' || correction) beyond.push(...givenBackBeyond(row, sale, correction));
    if (figures?.hasTodaysRates) todaysRates += 1;
    if (figures && !filed && isDue) denied.add(sale, figures);
    if (figures?.exemption) {
      const { exemption } = figures;
      exempt.sales.push({ customerId: sale.customerId, amount: row.gross, exemption });
      // What a reversal takes back was found, and decided, with the record that was filed.
      if (!isReversal && !row.reasons.some(({ code }) => code === 'R08'))
        for (const finding of findingsOfExempt({ ...row, origin: sale.origin, exemption }))
          exempt.findings.push({ key: sale.key, finding });
    }
    // A filed sale was read from files that may have been replaced since, and a refund may share the rows of its order.
    if (sent && sale.kind === 'order') rows.add(sale.channel, sale.origin.file, 'used', sale.rows);
  }
  return {
    totals,
    channels: channels.kept(),
    filing: filing.kept(),
    denied: denied.kept(),
    rows: [...rows.counts],
    exempt,
    found,
    late,
    refunds,
    beyond,
    orders,
    todaysRates,
  };
};

/** The records of an entry by day. A refund and its further refunds count as one record with the total of their amounts. */
const recordedOf = ({ recorded }: Entry) =>
  [...(recorded ? [recorded, ...(recorded.further ?? [])] : [])].map(({ day, record }, index) => ({
    day,
    records: index === 0 ? 1 : 0,
    amount: moneyOfPrice(record.amount),
    tax: moneyOfPrice(record.sales_tax),
  }));

/** Returns the findings of an entry. */
const findingsOf = (
  { sale, sent, figures, version }: Entry,
  row: DetailRow,
  given: { readonly period: FilingPeriod; readonly isDue: boolean },
): readonly Finding[] => {
  const found = [
    ...findingsOfSale(row, sale, figures?.differences ?? [], { ...given, inUse: sent?.inUse }),
    ...(figures ? findingsOfOpinion(row, figures) : []),
  ];
  if (!version) return found;
  // For a sale that is filed in another period, a finding on a few hours at the edge of the period is irrelevant.
  const own = found.filter(({ code }) => code !== 'R16');
  return version.isReversal
    ? own.map((each) => (isVariance(each) ? { ...each, reverses: true } : each))
    : own;
};

/** Whether it is a reason with an amount. One that is decided by the tax of its record is asked about as it is. */
const isVariance = ({ code, severity, effect }: Finding): boolean =>
  severity === 'warning' && effect !== ZERO && code in REASONS && !isDecidedByTax(code);

const correctionOf = ({ sale, version }: Entry): GivenBackBeyond['correction'] =>
  version && version.of !== sale.key
    ? { corrects: version.of, ...(version.isReversal && { soldOn: sale.businessDate }) }
    : undefined;
