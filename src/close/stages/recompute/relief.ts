import { type Money, subtract, ZERO } from '../../../kernel/money.ts';
import { isExempting } from '../../certificates/exemption-reason.ts';
import type { Sale } from '../../sales/sale.ts';
import type { Expectation } from '../../workspace/expectation-of.ts';
import type { ClosePorts } from '../close-ports.ts';
import { isRelieved } from './pending-sales.ts';

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
