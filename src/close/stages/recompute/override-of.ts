import type { Money } from '../../../kernel/money.ts';
import { decisionIndexOf } from '../../configuration/decisions-of.ts';
import type { Sale } from '../../sales/sale.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** Returns the tax that a person set by hand for a sale. */
export const overrideOf = (
  configuration: ClosePorts['configuration'],
  { origin, id }: Sale,
): { readonly tax: Money; readonly why: string } | undefined => {
  const decisions = decisionIndexOf(configuration).ofRecord([origin.record, id], ['R99']);
  const found = decisions.find(({ verdict }) => verdict === 'set-by-hand');
  return found?.tax === undefined ? undefined : { tax: found.tax, why: found.why };
};
