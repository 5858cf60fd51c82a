import { type Money, negate, subtract, ZERO } from '../../../kernel/money.ts';
import { statesText } from '../../certificates/certificate.ts';
import type { Exemption } from '../../certificates/exemption-of.ts';
import { exemptionWord, isExempting } from '../../certificates/exemption-reason.ts';
import type { Expectation } from '../../period-sales/expectation-of.ts';
import type { SettledSale } from '../../period-sales/with-settled-exemption.ts';
import type { ReconciledSale } from '../../reconcile/reconciled-sale.ts';
import type { Sale } from '../../sales/sale.ts';
import { isRelieved } from '../recompute/pending-sales.ts';
import type { ClosePorts } from '../run/close-ports.ts';

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

/**
 * The tax that the exemption of a sale relieves; positive, of a refund too. `undefined` where the sale is not exempt, or
 * no one knows it: the calls did not reach, or the service refused to calculate.
 */
export const reliefOf = (
  ports: ClosePorts,
  sale: Sale,
  expectation: Expectation | undefined,
): Money | undefined => {
  if (!isExempting(sale.exemptionType)) return undefined;
  if (!isRelieved(ports, sale)) return ZERO;
  if (!expectation || expectation.basis === 'refused' || !expectation.relief) return undefined;
  return subtract(expectation.relief.amount_to_collect, expectation.result.amount_to_collect);
};
