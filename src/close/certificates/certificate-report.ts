import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, ZERO } from '../../kernel/money.ts';
import type { Certificate } from './certificate.ts';
import { addUse, type CertificateUsage, unusedCertificate } from './certificate-usage.ts';
import { normalCustomer } from './register.ts';
import type { SaleExemption } from './sale-exemption.ts';

/** The certificates that the exempt sales of a period rely on. */
export type CertificateReport = {
  /** Whether the configuration has a register at all. */
  readonly isConfigured: boolean;
  /** Number of usable certificates in the register. */
  readonly certificates: number;
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

/** Collects exempt sales one by one into a report. */
export type CertificateGatherer = {
  readonly add: (sale: ExemptSale) => void;
  readonly report: () => CertificateReport;
};

/** @param register `undefined` when none is configured */
export const certificateGatherer = (
  register: readonly Certificate[] | undefined,
  lastDay: CalendarDate,
): CertificateGatherer => {
  const usages = new Map(
    (register ?? []).map((certificate) => [
      certificate.name,
      unusedCertificate(certificate.name, certificate, lastDay),
    ]),
  );
  const customers = new Set<string>();
  const exempt = {
    certified: { sales: 0, relieved: ZERO },
    unsupported: { sales: 0, relieved: ZERO },
  };
  const usageOf = (name: string): CertificateUsage => {
    const usage = usages.get(name) ?? unusedCertificate(name, null, lastDay);
    usages.set(name, usage);
    return usage;
  };
  return {
    add: ({ customerId, amount, exemption }) => {
      const { standing, certificate, relieved } = exemption;
      if (customerId !== null) customers.add(normalCustomer(customerId));
      exempt[standing].sales += 1;
      exempt[standing].relieved = add(exempt[standing].relieved, relieved ?? ZERO);
      if (certificate !== null) addUse(usageOf(certificate), { amount, relieved: relieved ?? undefined });
    },
    report: () => ({
      isConfigured: register !== undefined,
      certificates: register?.length ?? 0,
      usages: [...usages.values()].filter(
        ({ sales, certificate }) =>
          sales > 0 || (certificate !== null && customers.has(normalCustomer(certificate.customer))),
      ),
      exempt,
    }),
  };
};
