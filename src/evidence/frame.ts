import { join } from 'node:path';
import type { Rejects } from '../books/files-to-fill-in.ts';
import type { Certificate } from '../certificates/certificate.ts';
import type { LateLine } from '../figures/late-line.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import type { Decision } from '../judge/decision.ts';
import type { ShopTotals } from '../judge/expected-totals.ts';
import type { Finding } from '../judge/finding.ts';
import { type FoundOrder, type GivenBack, withRefund } from '../judge/refund-link.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';
import { logPath, readLog } from './log-file.ts';

/** An order that is not among the entries of a period, and what its refunds before the period gave back. */
export type EarlierOrder = FoundOrder & {
  readonly key: string;
  readonly before?: GivenBack;
};

/** What of a posted refund shows when, and how much, it gave back. */
type Refund = Pick<Sale, 'id' | 'businessDate' | 'amount' | 'salesTax'>;

/**
 * Returns an order that is not among the entries, with what its refunds before the period gave back.
 *
 * @param late the keys of the records of which the period has a late version: those count in it
 */
export const earlierOrder = (
  key: string,
  { order, noSale, refunds }: FoundOrder & { readonly refunds: readonly Refund[] },
  { first }: FilingPeriod,
  late: ReadonlySet<string>,
): EarlierOrder | undefined => {
  if (!order) return noSale === undefined ? undefined : { key, noSale };
  const { channel } = nameOfKey(key);
  const earlier = refunds.filter(
    ({ id, businessDate }) => businessDate < first && !late.has(saleKey(channel, 'refund', id)),
  );
  const before = earlier.reduce<GivenBack | undefined>(withRefund, undefined);
  return { key, order, ...(before && { before }) };
};

/** Parts of a report that no sale of the period changes. */
type Stated = Pick<
  PeriodReport,
  | (
      | 'seller'
      | 'entity'
      | 'period'
      | 'timeZone'
      | 'lockedDays'
      | 'service'
      | 'program'
      | 'madeEarly'
      | 'workingPapers'
      | 'registrations'
    )
  | ('unexplainedTolerance' | 'materiality' | 'detailRowsMax' | 'rateSources' | 'months')
  | ('inputs' | 'ledger' | 'laterCharges')
>;

/**
 * What the books of a period are drawn from beside its entries, its strays and the records that were set aside: plain
 * data, the log `report`.
 */
export type Frame = Stated & {
  /** The registrations of the configuration, by which tax is due. A locked period can count one that is there no longer. */
  readonly configured: PeriodReport['registrations'];
  /** The totals of the periods before this one. */
  readonly earlier: PeriodReport['trend'];
  /** All decisions that count in the period. */
  readonly decisions: readonly Decision[];
  /** The certificates of the register; `null` where none is configured. */
  readonly certificates: readonly Certificate[] | null;
  /** What late items would change that await a decision. */
  readonly undecided: readonly LateLine[];
  /** The keys of the records of which the period has a late version. */
  readonly late: readonly string[];
  readonly shopTotals: readonly ShopTotals[];
  /** Findings that rest on more than this frame and the other logs. */
  readonly findings: readonly Finding[];
  /** The orders of refunds that are not among the entries of the period. */
  readonly orders: readonly EarlierOrder[];
};

/** The frame, and what the returns take from elsewhere. */
export type LoggedFrame = Frame & {
  readonly filing: readonly FilingRegistration[];
  /** The inputs with rejected rows; the rows are in the log of records that were set aside. */
  readonly rejected: readonly Omit<Rejects, 'records'>[];
};

type Line = {
  readonly of: string;
  readonly value?: unknown;
  readonly item?: unknown;
};

/** Yields one line per member, or per item of a list, so that lines do not grow with the period. */
export function* frameLines(frame: LoggedFrame): Generator<string> {
  for (const [of, value] of Object.entries(frame)) {
    const items = Array.isArray(value) ? (value as readonly unknown[]) : undefined;
    yield JSON.stringify({ of, value: items ? [] : value } satisfies Line);
    for (const item of items ?? []) yield JSON.stringify({ of, item } satisfies Line);
  }
}

/** Reassembles the frame of a folder from its log. */
export const readFrame = async (folder: string): Promise<LoggedFrame> => {
  const members = new Map<string, unknown>();
  for await (const line of readLog(join(folder, logPath('report')))) {
    const { of, value, item } = line as Line;
    if (item === undefined) members.set(of, value);
    else (members.get(of) as unknown[]).push(item);
  }
  return Object.fromEntries(members) as LoggedFrame;
};
