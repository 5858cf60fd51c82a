import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, ZERO } from '../../kernel/money.ts';
import type { Certificate } from './certificate.ts';

/** One certificate with the sales of a period that rely on it. Amounts of refunds are deducted. */
export type CertificateUsage = {
  readonly name: string;
  /** `null` when filed sales rely on a certificate that the register no longer contains. */
  readonly certificate: Certificate | null;
  /** On the last day of the period. */
  readonly status: 'valid' | 'expired' | 'not yet valid' | 'not in the register';
  sales: number;
  amount: Money;
  /** Tax that the exemption relieved, where it is known. */
  relieved: Money;
  /** Number of sales whose relieved tax is unknown. */
  unknown: number;
};

/** A sale that relies on a certificate. */
export type CoveredSale = {
  readonly amount: Money;
  /** `undefined` when unknown. */
  readonly relieved: Money | undefined;
};

export const unusedCertificate = (
  name: string,
  certificate: Certificate | null,
  day: CalendarDate,
): CertificateUsage => ({
  name,
  certificate,
  status: statusOn(certificate, day),
  sales: 0,
  amount: ZERO,
  relieved: ZERO,
  unknown: 0,
});

export const addUse = (usage: CertificateUsage, sale: CoveredSale): void => {
  usage.sales += 1;
  usage.amount = add(usage.amount, sale.amount);
  if (sale.relieved === undefined) usage.unknown += 1;
  else usage.relieved = add(usage.relieved, sale.relieved);
};

const statusOn = (certificate: Certificate | null, day: CalendarDate): CertificateUsage['status'] => {
  if (certificate === null) return 'not in the register';
  if (day < certificate.validFrom) return 'not yet valid';
  return certificate.validTo !== null && certificate.validTo < day ? 'expired' : 'valid';
};
