import { type Certificate, exemptionWord, type SaleExemption } from '../certificates/certificate.ts';
import type { CertificateUsage } from '../certificates/certificate-report.ts';
import { addDays } from '../kernel/calendar.ts';
import type { Origin, Severity } from '../kernel/finding.ts';
import { add, formatMoney, type Money, negate, subtract, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { type Finding, finding } from './finding.ts';

/** A certificate that expires within this many days of the end of the period is reported for renewal. */
const DAYS_AHEAD = 60;

/** One posted sale with its exemption. Amounts of refunds are negative. */
export type FoundExempt = {
  readonly origin: Origin;
  readonly state: string;
  readonly exemption: SaleExemption;
  readonly hasNexus: boolean;
  readonly collected: Money;
  readonly expected: Money;
};

/**
 * Report an exempt sale in a state with nexus that no certificate supports, or whose certificate gives another reason.
 */
export const findingsOfExempt = (sale: FoundExempt): readonly Finding[] => {
  const { exemption, origin, state } = sale;
  if (exemption.lack === '' || !sale.hasNexus) return [];
  const claim = `the export calls the sale exempt (${exemptionWord(exemption.type)}), and ${exemption.lack}`;
  if (exemption.standing === 'certified')
    return [finding('certificate-other-reason', claim, { origin, state })];
  const unsupported = (rest: string, severity: Severity, effect: Money): Finding =>
    finding('R08', `Exemption not supported: ${claim}; ${rest}`, { severity, origin, state, effect });
  const { relieved } = exemption;
  if (relieved === null)
    return [unsupported('the tax at stake is not known, because it was not calculated', 'error', ZERO)];
  const effect = subtract(sale.collected, add(sale.expected, relieved));
  if (effect === ZERO) return [unsupported('no tax depends on it', 'notice', ZERO)];
  return [unsupported(`${formatMoney(negate(effect))} tax is at stake`, 'error', effect)];
};

/** Report that a certificate that sales rely on expires soon, or that its document is missing or changed. */
export const findingsOfUsage = (
  { certificate, sales }: CertificateUsage,
  period: FilingPeriod,
): readonly Finding[] => {
  if (certificate === null || sales === 0) return [];
  const { validTo, document, name, customer } = certificate;
  const leaning =
    sales === 1 ? 'one sale of the period relies on it' : `${sales} sales of the period rely on it`;
  const findings: Finding[] = [];
  const about = { origin: { ...certificate.origin, record: name }, state: stateOf(certificate) };
  const note = (code: string, message: string) =>
    findings.push(finding(code, `${message}; ${leaning}`, about));
  if (validTo !== null && period.first <= validTo && validTo <= addDays(period.last, DAYS_AHEAD)) {
    const verb = validTo <= period.last ? 'expired' : 'expires';
    const whose = customer === '' ? '' : ` of customer "${customer}"`;
    note('certificate-expiring', `certificate ${name}${whose} ${verb} on ${validTo}`);
  }
  if (document !== null && document.found === null)
    note('certificate-document-missing', `the document "${document.name}" is not beside the register`);
  return findings;
};

const stateOf = ({ states }: Certificate): string =>
  states !== 'all' && states.length === 1 ? (states[0] ?? '') : '';
