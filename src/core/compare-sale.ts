import { overrideOf } from '../ask/ask-questions.ts';
import {
  type Calculated,
  expectationOf,
  hasTodaysRates,
  isRelieved,
  secondOpinionOf,
} from '../ask/calculate.ts';
import {
  type Exemption,
  exemptionOf,
  exemptionWord,
  isExempting,
  type Register,
  statesText,
} from '../certificates/certificate.ts';
import type { NewTransaction } from '../contract/transaction.ts';
import { adjustedRefund, recordDifferences } from '../judge/compare-record.ts';
import { type ReconciledSale, reconcileSale } from '../judge/reconciled-sale.ts';
import { type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import { type Money, negate, subtract, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { reversedFigures } from '../periods/corrections.ts';
import type { Statement } from '../read/shapes.ts';
import type { Sale } from '../sales/sale.ts';
import type { Recorded } from './record.ts';

/** A statement whose exemption is decided: its sale has the exemption type that is calculated and recorded. */
export type Exempted = Statement & {
  /** Absent for what takes back a locked sale: its exemption was decided as that was filed. */
  readonly exemption?: Exemption;
};

/** Decides the exemption of a sale by the register. What takes back a locked sale has the type with which that was filed. */
export const exempted = (statement: Statement, register: Register | undefined): Exempted => {
  const { sale, reverses } = statement;
  if (reverses) return statement;
  const exemption = exemptionOf(sale, register);
  return { ...statement, sale: withType(sale, exemption.type), exemption };
};

const withType = (sale: Sale, exemptionType: Sale['exemptionType']): Sale =>
  exemptionType === sale.exemptionType ? sale : { ...sale, exemptionType };

/** What the service has of a sale, and what was sent. */
type Kept = {
  readonly sent: NewTransaction;
  readonly recorded: Recorded;
};

/**
 * Returns the figures of a sale with its exemption.
 *
 * @param kept absent for a sale that is only foreseen
 */
export const figuresOfSale = (
  ports: ClosePorts,
  statement: Exempted,
  period: FilingPeriod,
  row: Calculated,
  kept?: Kept,
): ReconciledSale =>
  withExemption(
    reconcile(ports, statement, period, row, kept),
    statement,
    reliefOf(ports, statement.sale, row),
  );

const reconcile = (
  ports: ClosePorts,
  { sale, reverses }: Exempted,
  period: FilingPeriod,
  row: Calculated,
  kept: Kept | undefined,
): ReconciledSale => {
  const { configuration } = ports;
  const { record, adjustments = [], detail = '' } = kept?.recorded ?? {};
  const differences = kept && record ? recordDifferences(kept.sent, record, adjustments) : [];
  if (reverses) return reversedFigures(reverses, { recorded: record, differences, detail });
  const known = expectationOf(row);
  const calculated = known?.basis === 'calculated' ? known.result : undefined;
  return reconcileSale({
    sale,
    isClaimedExempt: isExempting(sale.exemptionType),
    registeredInPeriod: registeredIn(configuration, period, sale),
    override: overrideOf(configuration, sale),
    expectation: known,
    hasTodaysRates: calculated !== undefined && hasTodaysRates(configuration.service, sale, calculated),
    secondOpinion: calculated && secondOpinionOf(ports, sale, calculated),
    recorded: record && adjustedRefund(record, adjustments),
    differences,
    detail: row.detail ?? detail,
  });
};

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
    exemption: {
      type,
      standing,
      certificate: certificate?.name ?? null,
      lack,
      relieved: signed,
    },
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
const reliefOf = (ports: ClosePorts, sale: Sale, { own, relief }: Calculated): Money | undefined => {
  if (!isExempting(sale.exemptionType)) return undefined;
  if (!isRelieved(ports, sale)) return ZERO;
  if (!own || !relief) return undefined;
  return subtract(relief.result.amount_to_collect, own.result.amount_to_collect);
};
