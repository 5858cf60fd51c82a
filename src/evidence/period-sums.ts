import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import { certificateGatherer } from '../certificates/certificate-report.ts';
import { filingFigures } from '../figures/filing-figures.ts';
import { lateLines } from '../figures/late-line.ts';
import type { GivenBackBeyond } from '../figures/row-parts.ts';
import { isDecided } from '../judge/apply-policy.ts';
import { findingList } from '../judge/clusters.ts';
import { decisionIndex } from '../judge/decision.ts';
import { channelTotals, deniedNexus } from '../judge/expected-totals.ts';
import { emptyTotals, joinTotals } from '../judge/period-totals.ts';
import {
  earlierTaxGivenBack,
  orderKeyOf,
  type RefundedOrder,
  type RefundLink,
  type Repayment,
  refundLinks,
} from '../judge/refund-link.ts';
import { findingOfSetAside } from '../judge/sale-findings.ts';
import { compareText } from '../kernel/text.ts';
import { entryOf, nameOfKey, replacements } from '../sales/sale-name.ts';
import type { EarlierOrder, Frame } from './frame.ts';
import { rowCounter } from './log-file.ts';
import { addStray, type Stray } from './stray.ts';
import type { Sums, SumsSettings } from './sums-of.ts';

export type PeriodSumsSettings = SumsSettings &
  Pick<Frame, 'decisions' | 'certificates'> & {
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
    decisions,
    findings,
    totals,
    channels,
    filing,
    denied,
    rows,
    late,
    earlier,
    beyond,
    asides,
    join: (sums: Sums): void => {
      sums.exempt.sales.forEach(certificates.add);
      exempt.push(...sums.exempt.findings);
      joinTotals(totals, sums.totals);
      channels.join(sums.channels);
      filing.join(sums.filing);
      denied.join(sums.denied);
      rows.join(sums.rows);
      sums.found.forEach(findings.add);
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

/** Plain rows that are kept packed: a hundred thousand take some megabytes. */
export type PackedRows<Row> = {
  readonly add: (rows: readonly Row[]) => void;
  /** Yields the rows in the order in which they were added, in batches. */
  readonly batches: () => Generator<readonly Row[]>;
};

/** @param size the number of rows of a batch; the last one is smaller */
export const packedRows = <Row>(size: number): PackedRows<Row> => {
  const packed: Uint8Array[] = [];
  let waiting: Row[] = [];
  return {
    add: (rows) => {
      waiting.push(...rows);
      while (waiting.length >= size) {
        packed.push(deflateRawSync(JSON.stringify(waiting.slice(0, size)), { level: 1 }));
        waiting = waiting.slice(size);
      }
    },
    batches: function* () {
      for (const batch of packed) yield JSON.parse(inflateRawSync(batch).toString()) as Row[];
      if (waiting.length > 0) yield waiting;
    },
  };
};
