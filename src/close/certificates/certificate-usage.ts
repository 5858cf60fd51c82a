import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, ZERO } from '../../kernel/money.ts';
import type { Certificate } from './certificate.ts';

/** One certificate with the sales of a period that lean on it. Refunds are deducted. */
export type CertificateUsage = {
  readonly certificate: Certificate;
  /** On the last day of the period. */
  readonly status: 'valid' | 'expired' | 'not yet valid';
  sales: number;
  amount: Money;
  /** Tax that the exemption relieved, as far as it is known. */
  relieved: Money;
  /** Sales of which it is not known. */
  unknown: number;
  /** Position of the first of the sales among all of the period. */
  first: number | undefined;
};

/** A sale that leans on a certificate. `relieved` is missing where nobody knows it. */
export type LeaningSale = {
  readonly position: number;
  readonly amount: Money;
  readonly relieved: Money | undefined;
};

export const unusedCertificate = (certificate: Certificate, day: CalendarDate): CertificateUsage => ({
  certificate,
  status: statusOn(certificate, day),
  sales: 0,
  amount: ZERO,
  relieved: ZERO,
  unknown: 0,
  first: undefined,
});

export const addLeaning = (usage: CertificateUsage, sale: LeaningSale): void => {
  usage.sales += 1;
  usage.amount = add(usage.amount, sale.amount);
  if (sale.relieved === undefined) usage.unknown += 1;
  else usage.relieved = add(usage.relieved, sale.relieved);
  usage.first ??= sale.position;
};

const statusOn = ({ validFrom, validTo }: Certificate, day: CalendarDate): CertificateUsage['status'] => {
  if (day < validFrom) return 'not yet valid';
  return validTo !== null && validTo < day ? 'expired' : 'valid';
};
