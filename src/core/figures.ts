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
import {
  exemptionWord,
  isExempting,
  statesText,
  withoutExemption,
} from '../close/certificates/certificate.ts';
import type { Register } from '../close/certificates/exemption-of.ts';
import { type Exemption, exemptionOf } from '../close/certificates/exemption-of.ts';
import { providerOf } from '../close/configuration/parts.ts';
import {
  type Answer,
  type Entry,
  markOf,
  type Question,
  type Recorded as RecordedPart,
  type Sent,
} from '../close/evidence/entry.ts';
import { adjustedRefund, recordDifferences } from '../close/reconcile/compare-record.ts';
import { type ReconciledSale, reconcileSale, type Status } from '../close/reconcile/reconciled-sale.ts';
import { type Sale, taxLinesOf } from '../close/sales/sale.ts';
import { taxRequestOf, transactionOf } from '../close/sales/service-records.ts';
import type { Order, Refund } from '../contract/transaction.ts';
import { type CalendarDate, calendarDate, type Instant } from '../kernel/calendar.ts';
import { type Money, negate, subtract, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownCount } from '../kernel/text.ts';
import type { zoneCalendar } from '../kernel/time-zones.ts';
import { reversedFigures } from '../periods/corrections.ts';
import type { Statement } from '../read/shapes.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { noneOf } from './outcome.ts';
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
  readonly recorded: Order | Refund | undefined;
  readonly adjustments: readonly Refund[];
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
  const { expectation, recorded, adjustments, refusal } = given;
  const known = expectation && expectation.basis !== 'refused' ? expectation : undefined;
  const transaction = transactionOf(
    sale,
    providerOf(configuration, sale.channel),
    configuration.shipFrom,
    known?.result,
  );
  const differences = recorded
    ? recordDifferences({ kind: sale.kind, transaction }, recorded, adjustments)
    : [];
  if (reverses) return reversedFigures(reverses, { recorded, differences, detail: refusal });
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
    recorded: recorded && adjustedRefund(recorded, adjustments),
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

const sentOf = ({ body, recorded }: NonNullable<Settled['posted']>): Sent => {
  const { state, detail, inUse }: Recorded = recorded;
  return {
    body: markOf(body),
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
