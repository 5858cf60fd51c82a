import { addDays } from '../../kernel/calendar.ts';
import type { Finding, Origin, Severity } from '../../kernel/finding.ts';
import { add, formatMoney, type Money, negate, subtract, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Certificate } from './certificate.ts';
import type { CertificateUsage } from './certificate-usage.ts';
import { exemptionWord } from './exemption-reason.ts';
import type { SaleExemption } from './sale-exemption.ts';

/** A finding with its state (empty if none) and the tax at stake. */
export type CertificateFinding = Finding & { readonly state: string; readonly effect: Money };

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
export const findingsOfExempt = (sale: FoundExempt): readonly CertificateFinding[] => {
  const { exemption, origin, state } = sale;
  if (exemption.lack === '' || !sale.hasNexus) return [];
  const claim = `the export calls the sale exempt (${exemptionWord(exemption.type)}), and ${exemption.lack}`;
  if (exemption.standing === 'certified')
    return [
      { severity: 'warning', code: 'certificate-other-reason', origin, state, message: claim, effect: ZERO },
    ];
  const finding = (severity: Severity, rest: string, effect: Money): CertificateFinding => {
    const message = `Exemption not supported: ${claim}; ${rest}`;
    return { severity, code: 'R08', origin, state, message, effect };
  };
  const { relieved } = exemption;
  if (relieved === null)
    return [finding('error', 'the tax at stake is not known, because it was not calculated', ZERO)];
  const effect = subtract(sale.collected, add(sale.expected, relieved));
  if (effect === ZERO) return [finding('notice', 'no tax depends on it', ZERO)];
  return [finding('error', `${formatMoney(negate(effect))} tax is at stake`, effect)];
};

/** Report that a certificate that sales rely on expires soon, or that its document is missing or changed. */
export const findingsOfUsage = (
  { certificate, sales }: CertificateUsage,
  period: FilingPeriod,
): readonly CertificateFinding[] => {
  if (certificate === null || sales === 0) return [];
  const { validTo, document, name, customer } = certificate;
  const leaning =
    sales === 1 ? 'one sale of the period relies on it' : `${sales} sales of the period rely on it`;
  const findings: CertificateFinding[] = [];
  const note = (severity: Severity, code: string, message: string) =>
    findings.push({
      ...{ severity, code, origin: { ...certificate.origin, record: name } },
      ...{ message: `${message}; ${leaning}`, state: stateOf(certificate), effect: ZERO },
    });
  if (validTo !== null && period.first <= validTo && validTo <= addDays(period.last, DAYS_AHEAD)) {
    const verb = validTo <= period.last ? 'expired' : 'expires';
    const whose = customer === '' ? '' : ` of customer "${customer}"`;
    note('warning', 'certificate-expiring', `certificate ${name}${whose} ${verb} on ${validTo}`);
  }
  if (document !== null && document.found === null)
    note(
      'warning',
      'certificate-document-missing',
      `the document "${document.name}" is not beside the register`,
    );
  if (
    document !== null &&
    document.stated !== null &&
    document.found !== null &&
    document.stated !== document.found
  )
    note(
      'error',
      'certificate-document-differs',
      `the document "${document.name}" is another one than the register states`,
    );
  return findings;
};

const stateOf = ({ states }: Certificate): string =>
  states !== 'all' && states.length === 1 ? (states[0] ?? '') : '';
