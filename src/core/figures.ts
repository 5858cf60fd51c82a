import { isRelieved } from '../ask/calculate.ts';
import { gapAt } from '../ask/content-gap.ts';
import type { Expectation } from '../ask/expectation.ts';
import { overrideOf } from '../ask/override-of.ts';
import { secondOpinionOf } from '../ask/second-opinion.ts';
import { hasTodaysRates } from '../ask/todays-rates.ts';
import { statesText } from '../close/certificates/certificate.ts';
import type { Exemption } from '../close/certificates/exemption-of.ts';
import { exemptionWord, isExempting } from '../close/certificates/exemption-reason.ts';
import { providerOf } from '../close/configuration/provider-of.ts';
import { adjustedRefund, recordDifferences } from '../close/reconcile/compare-record.ts';
import { type ReconciledSale, reconcileSale, type Status } from '../close/reconcile/reconciled-sale.ts';
import { type Sale, taxLinesOf } from '../close/sales/sale.ts';
import { transactionOf } from '../close/sales/transaction-of.ts';
import type { Order, Refund } from '../contract/transaction.ts';
import { type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import { type Money, negate, subtract, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownCount } from '../kernel/text.ts';
import { reversedFigures } from '../periods/reversed-figures.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { Exempted } from './exempted.ts';

export type ReconcileFigures = Readonly<Record<Status, number>>;

export const NONE: ReconcileFigures = {
  'tied out': 0,
  explained: 0,
  unexplained: 0,
  'recorded otherwise': 0,
  'not recorded': 0,
  'not calculated': 0,
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
