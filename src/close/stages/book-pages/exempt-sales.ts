import { type CertificateFinding, findingsOfExempt } from '../../certificates/certificate-findings.ts';
import type { ExemptSale } from '../../certificates/certificate-report.ts';
import type { DetailedSale } from '../../period-sales/detailed-sales.ts';
import { entryOf } from '../../sales/corrections.ts';

/** A finding on an exempt sale, with the key of the sale. */
export type ExemptFinding = { readonly key: string; readonly finding: CertificateFinding };

/** The exempt sales of a page, each with its position in it, and the findings on them. */
export type ExemptSales = {
  readonly sales: readonly ExemptSale[];
  readonly findings: readonly ExemptFinding[];
};

export const exemptSalesOf = (page: readonly DetailedSale[]): ExemptSales => {
  const exempt = page.flatMap(({ row, sale, reconciled, late }, position) =>
    reconciled?.exemption ? [{ row, sale, late, exemption: reconciled.exemption, position }] : [],
  );
  // What a reversal takes back was found, and decided, with the record that was filed.
  const found = exempt.filter(({ sale, late }) => !(late && entryOf(sale, late.corrects).isReversal));
  return {
    sales: exempt.map(({ row, sale: { customerId }, exemption, position }) => ({
      ...{ position, customerId, amount: row.gross, exemption },
    })),
    findings: found.flatMap(({ row, sale: { key, origin }, exemption }) =>
      row.reasons.some(({ code }) => code === 'R08')
        ? []
        : findingsOfExempt({ ...row, origin, exemption }).map((finding) => ({ key, finding })),
    ),
  };
};
