import type { CalendarDate } from '../../../kernel/calendar.ts';
import { decisionIndexOf } from '../../configuration/decisions-of.ts';
import type { SetByHand } from '../../reconcile/explain-variance.ts';
import type { Sale } from '../../sales/sale.ts';
import { nameInChannel } from '../../sales/sale-name.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Returns the tax that a person set by hand for a sale, if it is the tax that the sale carries. A refund that was derived
 * from an order has the record name of the order, so a decision about another tax may be about the order.
 */
export const overrideOf = (
  configuration: Configuration,
  { origin, channel, id, salesTax, businessDate }: Sale,
): SetByHand | undefined =>
  setByHand(configuration, [origin.record, id, nameInChannel(channel, id)], businessDate).find(
    ({ tax }) => tax === salesTax,
  );

/** Returns the tax that a person set by hand for the order that a refund gives back. */
export const orderOverrideOf = (
  configuration: Configuration,
  { kind, channel, reference, partOf, salesTax }: Sale,
): SetByHand | undefined => {
  if (kind !== 'refund' || reference === null) return undefined;
  const charged = partOf?.salesTax ?? salesTax;
  return setByHand(configuration, [reference, nameInChannel(channel, reference)]).find(
    ({ tax }) => tax === charged,
  );
};

type Configuration = ClosePorts['configuration'];

const setByHand = (
  configuration: Configuration,
  names: readonly string[],
  day?: CalendarDate,
): readonly SetByHand[] =>
  decisionIndexOf(configuration)
    .ofRecord(names, ['R99'], day)
    .flatMap(({ verdict, tax, why }) =>
      verdict === 'set-by-hand' && tax !== undefined ? [{ tax, why }] : [],
    );
