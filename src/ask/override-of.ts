import { decisionIndexOf } from '../close/configuration/decisions-of.ts';
import type { SetByHand } from '../close/reconcile/explain-variance.ts';
import type { Sale } from '../close/sales/sale.ts';
import { nameInChannel } from '../close/sales/sale-name.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Returns the tax that a person set by hand for a sale, if it is the tax that the sale carries. A refund that was derived
 * from an order has the record name of the order, so a decision about another tax may be about the order.
 */
export const overrideOf = (
  configuration: ClosePorts['configuration'],
  { origin, channel, id, salesTax, businessDate }: Sale,
): SetByHand | undefined =>
  decisionIndexOf(configuration)
    .ofRecord([origin.record, id, nameInChannel(channel, id)], ['R99'], businessDate)
    .flatMap(({ verdict, tax, why }) =>
      verdict === 'set-by-hand' && tax !== undefined ? [{ tax, why }] : [],
    )
    .find(({ tax }) => tax === salesTax);
