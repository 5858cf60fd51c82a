import { overrideOf } from '../ask/ask-questions.ts';
import {
  type Calculated,
  type Expectation,
  gapAt,
  hasTodaysRates,
  isRelieved,
  type StoredAnswer,
  secondOpinionOf,
} from '../ask/calculate.ts';
import { exemptionWord, isExempting, statesText, withoutExemption } from '../certificates/certificate.ts';
import { type Exemption, exemptionOf, type Register } from '../certificates/exemption-of.ts';
import type { NewTransaction, Order, Refund } from '../contract/transaction.ts';
import { wireSent } from '../contract/wire.ts';
import {
  type Answer,
  type Entry,
  entryText,
  markOf,
  type Question,
  type Recorded as RecordedPart,
  rowOf,
  type Sent,
} from '../evidence/entry.ts';
import type { EarlierOrder } from '../evidence/frame.ts';
import { keyCollector, keyedOf } from '../evidence/keys.ts';
import { type EvidenceLogs, logPiece } from '../evidence/log-file.ts';
import { type PeriodSumsSettings, periodSums, sumsOf } from '../evidence/period-sums.ts';
import { adjustedRefund, recordDifferences } from '../judge/compare-record.ts';
import { type DetailLine, detailLineOf } from '../judge/detail-row.ts';
import { type ReconciledSale, reconcileSale, type Status } from '../judge/reconciled-sale.ts';
import { type Repayment, withRefund } from '../judge/refund-link.ts';
import { type CalendarDate, calendarDate, type Instant } from '../kernel/calendar.ts';
import { sha256 } from '../kernel/json.ts';
import { type Money, negate, subtract, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { compareKeys, shownCount } from '../kernel/text.ts';
import type { zoneCalendar } from '../kernel/time-zones.ts';
import { reversedFigures } from '../periods/corrections.ts';
import { partitions } from '../read/partitions.ts';
import type { RefundedOrderOf, Statement } from '../read/shapes.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { batchesOf } from '../runtime/batches.ts';
import { type Sale, taxLinesOf } from '../sales/sale.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';
import { taxRequestOf } from '../sales/service-records.ts';
import { noneOf } from './outcome.ts';
import { derivationOf } from './publish.ts';
import type { Recorded } from './record.ts';
import type { Settled } from './settle-batch.ts';

export type ReconcileFigures = Readonly<Record<Status, number>>;

export const NONE: ReconcileFigures = {
  ...noneOf('tied out', 'explained', 'unexplained'),
  ...noneOf('recorded otherwise', 'not recorded', 'not calculated'),
};

export const reconcileText = (counts: ReconcileFigures): string =>
  Object.entries(counts)
    .filter(([status, count]) => count > 0 || status === 'tied out')
    .map(([status, count]) => `${shownCount(count)} ${status}`)
    .join(', ');

/** What is known of a sale when its figures are compared. */
type KnownOfSale = {
  readonly expectation: Expectation | undefined;
  /** What the service has of it, and what was sent. */
  readonly inService?: {
    readonly sent: NewTransaction;
    readonly record: Order | Refund;
    readonly adjustments: readonly Refund[];
  };
  readonly refusal: string;
};

/** Returns the figures of a sale with its exemption. */
export const figuresOfSale = (
  ports: ClosePorts,
  statement: Exempted,
  period: FilingPeriod,
  known: KnownOfSale,
): ReconciledSale => {
  const relieved = reliefOf(ports, statement.sale, known.expectation);
  return withExemption(reconcile(ports, statement, period, known), statement, relieved);
};

const reconcile = (
  ports: ClosePorts,
  { sale, reverses }: Exempted,
  period: FilingPeriod,
  given: KnownOfSale,
): ReconciledSale => {
  const { configuration } = ports;
  const { expectation, inService, refusal } = given;
  const known = expectation && expectation.basis !== 'refused' ? expectation : undefined;
  const recorded = inService && adjustedRefund(inService.record, inService.adjustments);
  const differences = inService
    ? recordDifferences(inService.sent, inService.record, inService.adjustments)
    : [];
  if (reverses)
    return reversedFigures(reverses, { recorded: inService?.record, differences, detail: refusal });
  const isOfToday =
    known?.basis === 'calculated' && hasTodaysRates(configuration.service, sale, known.result);
  return reconcileSale({
    kind: sale.kind,
    state: sale.shipTo.state,
    collected: sale.salesTax,
    shipping: sale.shipping,
    amount: sale.amount,
    lines: sale.lines,
    partOf: sale.partOf,
    taxLines: taxLinesOf(sale),
    isClaimedExempt: isExemption(sale.exemptionType),
    registeredInPeriod: registeredIn(configuration, period, sale),
    override: overrideOf(configuration, sale),
    expectation: known,
    hasTodaysRates: isOfToday,
    gap: known?.result.amount_to_collect === sale.salesTax ? undefined : gapAt(ports, sale),
    secondOpinion: known?.basis === 'calculated' ? secondOpinionOf(ports, sale, known.result) : undefined,
    recorded,
    differences,
    detail: expectation?.basis === 'refused' ? expectation.detail : refusal,
  });
};

const isExemption = (type: Sale['exemptionType']): boolean =>
  type === 'wholesale' || type === 'government' || type === 'other';

/** Returns the first day of a registration that began during the period, but not on its first day. */
const registeredIn = (
  { registrations }: ClosePorts['configuration'],
  period: FilingPeriod,
  { shipTo }: Sale,
): CalendarDate | undefined => {
  const since = registrations.find(({ state }) => state === shipTo.state)?.since;
  if (since === undefined || since <= period.first || since > period.last) return undefined;
  return calendarDate(since);
};

/**
 * Adds to the figures of an exempt sale the basis of its exemption and the tax it relieves. If tax was charged anyway,
 * the basis is added to the proof.
 */
const withExemption = (
  reconciled: ReconciledSale,
  { sale, exemption }: Exempted,
  relieved: Money | undefined,
): ReconciledSale => {
  if (!exemption || exemption.standing === 'none' || !isExempting(exemption.type)) return reconciled;
  const { type, standing, certificate, lack } = exemption;
  const signed = relieved === undefined ? null : sale.kind === 'refund' ? negate(relieved) : relieved;
  return {
    ...reconciled,
    reasons: reconciled.reasons.map((reason) =>
      reason.code === 'R07' ? { ...reason, proof: `${reason.proof}; ${groundOf(exemption)}` } : reason,
    ),
    exemption: { type, standing, certificate: certificate?.name ?? null, lack, relieved: signed },
  };
};

const groundOf = ({ certificate, type, lack }: Exemption): string => {
  if (certificate)
    return `certificate ${certificate.name} (${certificate.reason}, ${statesText(certificate)}) holds`;
  return `the export calls it exempt (${exemptionWord(type ?? '')})${lack === '' ? '' : `, but ${lack}`}`;
};

/**
 * Returns the tax that the exemption of a sale relieves, as a positive amount, even for a refund. `undefined` if the
 * sale is not exempt, or the tax is not known because the calls were used up or the service refused to calculate.
 */
const reliefOf = (ports: ClosePorts, sale: Sale, expectation: Expectation | undefined): Money | undefined => {
  if (!isExempting(sale.exemptionType)) return undefined;
  if (!isRelieved(ports, sale)) return ZERO;
  if (!expectation || expectation.basis === 'refused' || !expectation.relief) return undefined;
  return subtract(expectation.relief.amount_to_collect, expectation.result.amount_to_collect);
};

/** A statement whose exemption is decided: its sale has the exemption type that is calculated and recorded. */
export type Exempted = Statement & {
  /** Absent for what takes back a locked sale: its exemption was decided as that was filed. */
  readonly exemption?: Exemption;
};

/** Decides the exemption of a sale by the register. What takes back a locked sale has the exemption of that. */
export const exempted = (statement: Statement, register: Register | undefined): Exempted => {
  const { sale, reverses } = statement;
  if (reverses) {
    const { exemption: asFiled } = reverses;
    return asFiled ? { ...statement, sale: withType(sale, asFiled.type) } : statement;
  }
  const exemption = exemptionOf(sale, register);
  return { ...statement, sale: withType(sale, exemption.type), exemption };
};

const withType = (sale: Sale, exemptionType: Sale['exemptionType']): Sale =>
  exemptionType === sale.exemptionType ? sale : { ...sale, exemptionType };

/**
 * Returns the entry of a settled sale. What takes back a locked sale has the figures of that, so that today's calculation
 * is not their proof.
 */
export const entryOf = (
  ports: ClosePorts,
  { sale, stated, identity, version, reverses, posted }: Settled,
  figures: ReconciledSale | undefined,
  { dateAt }: Pick<ReturnType<typeof zoneCalendar>, 'dateAt'>,
): Entry => {
  const asked = posted ? questionsOf(ports, sale, posted.row) : [];
  const record = posted?.recorded.record;
  return {
    ...{ sale, stated, identity },
    ...(reverses && { filed: true }),
    ...(version && { version }),
    ...(!reverses && posted?.row.own && { answer: answerOf(posted.row.own) }),
    ...(asked.length > 0 && { asked }),
    ...(posted && { sent: sentOf(posted) }),
    ...(posted && record && { recorded: recordedOf(sale, record, posted.recorded.adjustments, dateAt) }),
    ...(posted && { figures: figures ?? null }),
  };
};

const recordedOf = (
  sale: Sale,
  record: Order | Refund,
  adjustments: readonly Refund[],
  dateAt: (instant: Instant) => RecordedPart['day'],
): RecordedPart => {
  const dayOf = (instant: Instant) => (instant === sale.instant ? sale.businessDate : dateAt(instant));
  const further = adjustments.map((each) => ({ day: dayOf(each.transaction_date), record: each }));
  return { day: dayOf(record.transaction_date), record, ...(further.length > 0 && { further }) };
};

const sentOf = ({ sent, recorded }: NonNullable<Settled['posted']>): Sent => {
  const { state, detail, inUse }: Recorded = recorded;
  return {
    body: markOf(sha256(JSON.stringify(wireSent(sent.transaction)))),
    ...(!(state === 'held' && detail === '') && { state, detail }),
    ...(inUse && { inUse }),
  };
};

const answerOf = ({ digest, result }: StoredAnswer): Answer => ({ request: markOf(digest), result });

/** Returns the calculations with one thing changed, and of the tax that its exemption relieves, if calculated. */
const questionsOf = (
  { serviceId: service, configuration }: ClosePorts,
  sale: Sale,
  { relief, found }: Calculated,
): readonly Question[] => {
  const question = (asked: StoredAnswer, about: Sale, why: Pick<Question, 'code' | 'what'>): Question => {
    const { digest, result } = asked;
    const request = asked.request ?? taxRequestOf(about, configuration.shipFrom);
    return { ...why, digest, service, request: request as Question['request'], result };
  };
  const alternatives = found?.alternatives ?? [];
  const isKnown = alternatives.some(({ asked }) => asked.digest === relief?.digest);
  return [
    ...alternatives.map(({ code, what, asked }) => question(asked, sale, { code, what })),
    ...(relief && !isKnown
      ? [question(relief, withoutExemption(sale), { code: 'R07', what: 'without the exemption' })]
      : []),
  ];
};

/** The line of an entry. */
type EntryLine = { readonly key: string; readonly text: string };

/** Entries, and rows of Detail, that are kept in memory until all are known. */
const HELD_MAX = 20_000;

/** Lines of the log that are written together. */
const LINES_AT_ONCE = 500;

/**
 * The sums of a period, its entries and its rows of Detail. Entries come in any order: what depends on theirs waits until
 * all are known.
 *
 * @param folder a folder of its own for what does not fit in memory
 */
export const bookSums = (ports: ClosePorts, settings: PeriodSumsSettings, folder: string) => {
  const derivation = derivationOf(ports);
  const entries = partitions<EntryLine>(`${folder}/entries`, HELD_MAX, {
    textOf: ({ text }) => text,
    itemOf: (text, key) => ({ key, text }),
  });
  const detail = partitions<DetailLine>(`${folder}/detail`, HELD_MAX);
  const refunds: Repayment[] = [];
  const all = periodSums(settings);
  const keys = keyCollector();
  return {
    all,
    keys,
    add: (some: readonly Entry[]): void => {
      const sums = sumsOf(some, settings);
      refunds.push(...sums.refunds);
      all.join({ ...sums, refunds: [] });
      for (const entry of some) {
        keys.add(keyedOf(entry));
        const { businessDate, key } = entry.sale;
        detail.add(businessDate, detailLineOf(rowOf(entry)));
        entries.add(businessDate, { key, text: entryText(entry, derivation) });
      }
    },
    /** Ends the sums after all entries are known, and writes them to the log in the order of Detail. */
    end: async (logs: EvidenceLogs): Promise<void> => {
      all.join({ ...sumsOf([], settings), refunds: refunds.sort(byPlace) });
      for (const day of entries.days())
        for (const lines of batchesOf(entries.take(day), LINES_AT_ONCE)) {
          const texts = lines.map(({ text }) => text);
          await logs.write({ entries: logPiece(texts) });
        }
    },
    /** Yields the rows of Detail, a day at a time. */
    detail: function* (): Generator<readonly DetailLine[]> {
      for (const day of detail.days()) yield detail.read(day);
    },
    /** Removes what did not fit in memory. */
    remove: (): void => {
      entries.end();
      detail.end();
    },
  };
};

/** By day and key, as in Detail. */
const byPlace = (one: Repayment, other: Repayment): number => {
  if (one.refundDate !== other.refundDate) return one.refundDate < other.refundDate ? -1 : 1;
  const keyOf = ({ channel, id }: Repayment): string => saleKey(channel, 'refund', id);
  return compareKeys(keyOf(one), keyOf(other));
};

/**
 * Returns an order that is not among the entries, with what its refunds before the period gave back.
 *
 * @param late the keys of the records of which the period has a late version: those count in it
 */
export const earlierOrder = (
  key: string,
  { order, noSale, refunds }: RefundedOrderOf,
  { first }: FilingPeriod,
  late: ReadonlySet<string>,
): EarlierOrder | undefined => {
  if (!order) return noSale === undefined ? undefined : { key, noSale };
  const { channel } = nameOfKey(key);
  const earlier = refunds.filter(
    ({ id, businessDate }) => businessDate < first && !late.has(saleKey(channel, 'refund', id)),
  );
  const before = earlier.reduce<ReturnType<typeof withRefund> | undefined>(withRefund, undefined);
  return { key, order, ...(before && { before }) };
};
