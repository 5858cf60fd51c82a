import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import { certificateGatherer, type ExemptSale } from '../certificates/certificate-report.ts';
import type { Order, Refund } from '../contract/transaction.ts';
import { filingFigures } from '../figures/filing-figures.ts';
import { lateLines } from '../figures/late-line.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { type GivenBackBeyond, givenBackBeyond } from '../figures/row-parts.ts';
import { isDecided } from '../judge/apply-policy.ts';
import { findingsOfExempt } from '../judge/certificate-findings.ts';
import { findingList } from '../judge/clusters.ts';
import { ANSWERS, decisionIndex } from '../judge/decision.ts';
import { type DetailLine, type DetailRow, detailLineOf } from '../judge/detail-row.ts';
import { channelTotals, deniedNexus } from '../judge/expected-totals.ts';
import { nothingDueOf } from '../judge/explain-variance.ts';
import type { Asked, Finding } from '../judge/finding.ts';
import { correctedFindings, type FoundOfSale } from '../judge/period-findings.ts';
import { addRecorded, addRow, emptyTotals, joinTotals, type PeriodTotals } from '../judge/period-totals.ts';
import {
  earlierTaxGivenBack,
  orderKeyOf,
  type RefundedOrder,
  type RefundLink,
  type Repayment,
  refundedOrderOf,
  refundLinks,
  repaymentOf,
} from '../judge/refund-link.ts';
import {
  findingOfExtra,
  findingOfSetAside,
  findingsOfOpinion,
  findingsOfSale,
} from '../judge/sale-findings.ts';
import { digestOf, type Json } from '../kernel/json.ts';
import { moneyOfPrice } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { packedRows } from '../runtime/packed-rows.ts';
import { entryOf, type LateVersion, nameOfKey, replacements } from '../sales/sale-name.ts';
import { type Entry, rowOf } from './entry.ts';
import type { EarlierOrder, Frame } from './frame.ts';
import { rowCounter } from './log-file.ts';

export type PeriodSumsSettings = SumsSettings &
  Pick<Frame, 'decisions' | 'late' | 'certificates'> & {
    /** Tells the orders that a refund of the period belongs to. */
    readonly refunded: { readonly has: (key: string) => boolean };
  };

const REFUNDS_AT_ONCE = 10_000;

/**
 * The sums of a period: of its entries, of its strays, and of the records that were set aside. Parts are joined in any
 * order; only refunds follow one another, and are listed, as they were joined. Memory grows with refunds, corrections and what is set aside, not with sales.
 */
export type PeriodSums = ReturnType<typeof periodSums>;

export const periodSums = (settings: PeriodSumsSettings) => {
  const { period, registrations, refunded } = settings;
  const decisions = decisionIndex(settings.decisions);
  const findings = findingList((draft) => isDecided(draft, decisions, period));
  const totals = emptyTotals();
  const channels = channelTotals(period);
  const filing = filingFigures(registrations, period);
  const denied = deniedNexus();
  const rows = rowCounter();
  const corrected = correctedFindings(new Set(settings.late));
  const earlier = earlierTaxGivenBack(period);
  const replaced = replacements();
  const late: Sums['late'][number][] = [];
  const certificates = certificateGatherer(settings.certificates ?? undefined, period.last);
  const exempt: Sums['exempt']['findings'][number][] = [];
  const refunds = packedRows<Repayment>(REFUNDS_AT_ONCE);
  const beyond: GivenBackBeyond[] = [];
  const orders = new Map<string, RefundedOrder>();
  const asides: ChannelSetAside[] = [];
  let [todaysRates, refundCount] = [0, 0];
  return {
    ...{ decisions, findings, totals, channels, filing, denied, rows, late, earlier, beyond, asides },
    join: (sums: Sums): void => {
      sums.exempt.sales.forEach(certificates.add);
      exempt.push(...sums.exempt.findings);
      joinTotals(totals, sums.totals);
      channels.join(sums.channels);
      filing.join(sums.filing);
      denied.join(sums.denied);
      rows.join(sums.rows);
      for (const found of sums.found) corrected.see(found).forEach(findings.add);
      for (const { row, version } of sums.late) {
        late.push({ row, version });
        earlier.seeRow(row);
        replaced.see(entryOf(row));
      }
      refunds.add(sums.refunds);
      refundCount += sums.refunds.length;
      beyond.push(...sums.beyond);
      for (const [key, order] of sums.orders) if (refunded.has(key)) orders.set(key, order);
      todaysRates += sums.todaysRates;
    },
    addStray: (stray: Stray): void => addStray(totals, stray).forEach(findings.add),
    addAside: (aside: ChannelSetAside): void => {
      asides.push(aside);
      findings.add(findingOfSetAside(aside));
      rows.add(aside.channel, aside.origin.file, aside.outcome, aside.rows.length);
    },
    /** Returns the findings of corrected records, after all parts were joined. */
    correctedFindings: corrected.judged,
    todaysRates: (): number => todaysRates,
    /** What late records change. */
    lateLines: () => {
      const lines = lateLines();
      for (const { row, version } of late.sort(byPlace)) lines.add(row, version);
      return lines.lines();
    },
    certificates: certificates.report,
    /** The findings of exempt sales that no reversal of the period takes back. */
    exemptFindings: () =>
      exempt.flatMap(({ key, finding }) => (replaced.isReplaced(entryOf(nameOfKey(key))) ? [] : finding)),
    /** Yields the keys of the orders of refunds that are not among the entries of the period. */
    missingOrders: function* (): Generator<string> {
      for (const batch of refunds.batches())
        for (const key of batch.map(orderKeyOf)) if (!orders.has(key)) yield key;
    },
    /** The refunds with their orders, in the order of Detail. */
    links: (others: readonly EarlierOrder[]) => {
      const known = new Map(others.map((order) => [order.key, order]));
      const orderOf = (key: string) => {
        const order = orders.get(key);
        return order ? { order } : (known.get(key) ?? { order: undefined });
      };
      const pages: Iterable<readonly RefundLink[]> = refundLinks(refunds.batches(), orderOf, replaced);
      return { count: refundCount, pages };
    },
  };
};

/** By day and key, as in Detail. */
const byPlace = (one: Sums['late'][number], other: Sums['late'][number]): number =>
  compareText(one.row.businessDate, other.row.businessDate) || compareText(one.row.key, other.row.key);

/** What sums depend on beside the entries, as plain data. */
export type SumsSettings = {
  readonly period: FilingPeriod;
  readonly registrations: PeriodReport['registrations'];
};

/** A finding about an exempt sale, with the key of the sale. */
type ExemptFinding = { readonly key: string; readonly finding: Finding };

/** The row of an entry that is late for a locked period. */
type LateRow = { readonly row: DetailLine; readonly version: LateVersion };

/** The sums of some entries, as plain data. `periodSums` joins them. */
export type Sums = ReturnType<typeof sumsOf>;

/** Adds up entries. */
export const sumsOf = (entries: readonly Entry[], { period, registrations }: SumsSettings) => {
  const totals = emptyTotals();
  const channels = channelTotals(period);
  const filing = filingFigures(registrations, period);
  const denied = deniedNexus();
  const rows = rowCounter();
  const exempt: { readonly sales: ExemptSale[]; readonly findings: ExemptFinding[] } = {
    sales: [],
    findings: [],
  };
  const found: FoundOfSale[] = [];
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
    addRow(totals, row, period);
    for (const { day, records, amount, tax } of recordedOf(entry))
      addRecorded(totals, day, sale.channel, { records, amount, tax });
    channels.add(row, sale);
    filing.add(row, sale);
    const drafts = findingsOf(entry, row, { period, isDue });
    if (drafts.length > 0) found.push({ key: sale.key, drafts });
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
    ...{ exempt, found, late, refunds, beyond, orders, todaysRates },
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
  // For a sale that is filed in another period, a finding on a few hours at the edge of the period is irrelevant.
  return version ? found.filter(({ code }) => code !== 'R16') : found;
};

const correctionOf = ({ sale, version }: Entry): GivenBackBeyond['correction'] =>
  version && version.of !== sale.key
    ? { corrects: version.of, ...(version.isReversal && { soldOn: sale.businessDate }) }
    : undefined;

/** A record that the service has for a period, and that is of none of its posted sales: a line of `strays`. */
export type Stray = {
  /** The channel whose sales are recorded under the provider; the provider itself if there is none. */
  readonly channel: string;
  readonly provider: string;
  readonly kind: 'order' | 'refund';
  readonly id: string;
  /** The day, in the entity's time zone, on which the service has it. */
  readonly day: string;
  readonly record: Order | Refund;
  /** What the exports say of it; absent if none explains it. */
  readonly said?: string;
  /** Set where the finding of a sale asks about it, because it has the number of that sale. */
  readonly isNamed?: true;
  /** Set where somebody answered that it stays: it is in no total then. */
  readonly isKept?: true;
  /** Set where its sale awaits a decision; the finding of that sale then has the tax at stake. */
  readonly isHeld?: true;
};

/** Digest of a record as the service has it, 16 hex digits. */
export const recordDigest = (record: Order | Refund): string =>
  digestOf(JSON.parse(JSON.stringify(record)) as Json).slice(0, 16);

/** Returns the question what becomes of a record of the service as it is now. */
export const askedOfRecord = (
  { provider, kind, id, record }: Pick<Stray, 'provider' | 'kind' | 'id' | 'record'>,
  code: 'R20' | 'number-in-use',
): Asked => ({
  code,
  key: `${provider}/${kind}/${id}`,
  stated: recordDigest(record),
  choices: ANSWERS[code],
});

/** Adds a stray to the totals of its day, and returns its findings. */
export const addStray = (totals: PeriodTotals, stray: Stray): readonly Finding[] => {
  const { channel, provider, kind, id, day, record, said, isHeld, isKept, isNamed } = stray;
  const tax = moneyOfPrice(record.sales_tax);
  if (!isKept) addRecorded(totals, day, channel, { records: 1, amount: moneyOfPrice(record.amount), tax });
  const asked = askedOfRecord(stray, 'R20');
  const about = { kind, id, provider, state: record.to_state ?? '' };
  return isNamed ? [] : [findingOfExtra({ ...about, tax, said, isHeld, asked })];
};
