import { certificateGatherer } from '../certificates/certificate-report.ts';
import type { DetailRow } from '../judge/detail-row.ts';
import type { Finding } from '../judge/finding.ts';
import { findingsOfExempt } from '../judge/sale-findings.ts';
import { entryOf, nameOfKey, type replacements } from '../sales/sale-name.ts';
import type { Entry } from './entry.ts';
import type { Frame } from './frame.ts';

/** A finding about an exempt sale, with the key of the sale. */
type ExemptFinding = { readonly key: string; readonly finding: Finding };

/** The exempt sales of a period, added in any order: what certificates support, and what is found of the sales. */
export const exemptSums = (
  { certificates: known, period }: Pick<Frame, 'certificates' | 'period'>,
  replaced: ReturnType<typeof replacements>,
) => {
  const certificates = certificateGatherer(known ?? undefined, period.last);
  const found: ExemptFinding[] = [];
  return {
    add: ({ sale, figures, version }: Entry, row: DetailRow): void => {
      const { exemption } = figures ?? {};
      if (!exemption) return;
      certificates.add({ customerId: sale.customerId, amount: row.gross, exemption });
      // What a reversal takes back was found, and decided, with the record that was filed.
      if (version?.isReversal || row.reasons.some(({ code }) => code === 'R08')) return;
      for (const finding of findingsOfExempt({ ...row, origin: sale.origin, exemption }))
        found.push({ key: sale.key, finding });
    },
    certificates: certificates.report,
    /** The findings of exempt sales that no reversal of the period takes back. */
    findings: (): readonly Finding[] =>
      found.flatMap(({ key, finding }) => (replaced.isReplaced(entryOf(nameOfKey(key))) ? [] : finding)),
  };
};
