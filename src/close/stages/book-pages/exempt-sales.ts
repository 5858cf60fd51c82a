import { type CertificateFinding, findingsOfExempt } from '../../certificates/certificate-findings.ts';
import type { ExemptSale } from '../../certificates/certificate-report.ts';
import type { DetailedSale } from '../../period-sales/detailed-sales.ts';

/** The exempt sales of a page, each with its position in it, and the findings on them. */
export type ExemptSales = {
  readonly sales: readonly ExemptSale[];
  readonly findings: readonly CertificateFinding[];
};

export const exemptSalesOf = (page: readonly DetailedSale[]): ExemptSales => {
  const exempt = page.flatMap(({ row, sale, reconciled }, position) =>
    reconciled?.exemption ? [{ row, sale, exemption: reconciled.exemption, position }] : [],
  );
  return {
    sales: exempt.map(({ row, sale: { customerId }, exemption, position }) => ({
      ...{ position, customerId, amount: row.gross, exemption },
    })),
    findings: exempt.flatMap(({ row, sale: { origin }, exemption }) =>
      row.reasons.some(({ code }) => code === 'R08') ? [] : findingsOfExempt({ ...row, origin, exemption }),
    ),
  };
};
