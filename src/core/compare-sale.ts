import { overrideOf } from '../ask/ask-questions.ts';
import { type Expectation, gapAt, hasTodaysRates, isRelieved, secondOpinionOf } from '../ask/calculate.ts';
import {
  type Exemption,
  exemptionOf,
  exemptionWord,
  isExempting,
  type Register,
  statesText,
} from '../certificates/certificate.ts';
import type { NewTransaction, Order, Refund } from '../contract/transaction.ts';
import { adjustedRefund, recordDifferences } from '../judge/compare-record.ts';
import { type ReconciledSale, reconcileSale } from '../judge/reconciled-sale.ts';
import { type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import { type Money, negate, subtract, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { reversedFigures } from '../periods/corrections.ts';
import type { Statement } from '../read/shapes.ts';
import { type Sale, taxLinesOf } from '../sales/sale.ts';

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
