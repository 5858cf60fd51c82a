import { type Money, negate } from '../../../kernel/money.ts';
import { statesText } from '../../certificates/certificate.ts';
import type { Exemption } from '../../certificates/exemption-of.ts';
import { exemptionWord, isExempting } from '../../certificates/exemption-reason.ts';
import type { ReconciledSale } from '../../reconcile/reconciled-sale.ts';
import type { SettledSale } from '../../workspace/settled-sale.ts';

/**
 * Add to the figures of an exempt sale what its exemption relies on and relieves, and name that in the proof where tax
 * was charged in spite of it.
 */
export const withExemption = (
  reconciled: ReconciledSale,
  { sale, exemption }: SettledSale,
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
    exemption: { type, standing, certificate: certificate?.name ?? null, lack, relieved: signed },
  };
};

const groundOf = ({ certificate, type, lack }: Exemption): string => {
  if (certificate)
    return `certificate ${certificate.name} (${certificate.reason}, ${statesText(certificate)}) holds`;
  return `the export calls it exempt (${exemptionWord(type ?? '')})${lack === '' ? '' : `, but ${lack}`}`;
};
