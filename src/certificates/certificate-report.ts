import type { CalendarDate } from '../kernel/calendar.ts';
import { add, type Money, ZERO } from '../kernel/money.ts';
import type { Certificate, SaleExemption } from './certificate.ts';
import { normalCustomer } from './certificate.ts';

/** The certificates that the exempt sales of a period rely on. */
export type CertificateReport = {
  /** Certificates that sales rely on, and those of customers with exempt sales in the period; in register order. */
  readonly usages: readonly CertificateUsage[];
  /** Exempt sales by standing, with the tax relieved where it is known. */
  readonly exempt: Readonly<
    Record<SaleExemption['standing'], { readonly sales: number; readonly relieved: Money }>
  >;
};

/** One posted sale of the period that is exempt. Amounts of refunds are negative. */
export type ExemptSale = {
  readonly customerId: string | null;
  readonly amount: Money;
  readonly exemption: SaleExemption;
};

/**
 * Collects exempt sales one by one into a report.
 *
 * @param register `undefined` when none is configured
 */
export const certificateGatherer = (register: readonly Certificate[] | undefined, lastDay: CalendarDate) => {
  const usages = new Map<string, CertificateUsage>();
  const usageOf = (name: string, certificate: Certificate | null): CertificateUsage => {
    const known = usages.get(name);
    if (known) return known;
    const usage = {
      name,
      certificate,
      status: statusOn(certificate, lastDay),
      sales: 0,
      amount: ZERO,
      relieved: ZERO,
      unknown: 0,
    };
    usages.set(name, usage);
    return usage;
  };
  for (const certificate of register ?? []) usageOf(certificate.name, certificate);
  const customers = new Set<string>();
  const exempt = {
    certified: { sales: 0, relieved: ZERO },
    unsupported: { sales: 0, relieved: ZERO },
  };
  return {
    add: ({ customerId, amount, exemption }: ExemptSale): void => {
      const { standing, certificate, relieved } = exemption;
      if (customerId !== null) customers.add(normalCustomer(customerId));
      exempt[standing].sales += 1;
      exempt[standing].relieved = add(exempt[standing].relieved, relieved ?? ZERO);
      if (certificate !== null) addUse(usageOf(certificate, null), amount, relieved);
    },
    report: (): CertificateReport => ({
      usages: [...usages.values()].filter(
        ({ sales, certificate }) =>
          sales > 0 || (certificate !== null && customers.has(normalCustomer(certificate.customer))),
      ),
      exempt,
    }),
  };
};

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

const addUse = (usage: CertificateUsage, amount: Money, relieved: Money | null): void => {
  usage.sales += 1;
  usage.amount = add(usage.amount, amount);
  if (relieved === null) usage.unknown += 1;
  else usage.relieved = add(usage.relieved, relieved);
};

const statusOn = (certificate: Certificate | null, day: CalendarDate): CertificateUsage['status'] => {
  if (certificate === null) return 'not in the register';
  if (day < certificate.validFrom) return 'not yet valid';
  return certificate.validTo !== null && certificate.validTo < day ? 'expired' : 'valid';
};
