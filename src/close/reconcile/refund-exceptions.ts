import { formatMoney, money, negate, subtract, ZERO } from '../../kernel/money.ts';
import type { DraftException } from './exceptions.ts';
import { REASONS } from './reason.ts';
import type { RefundLink } from './refund-link.ts';

/** Why an order is not posted. */
const KEPT_OUT = {
  'needs review': 'it is held or kept out',
  foreign: 'it was shipped abroad',
  'not USD': 'it is not in US dollars',
} as const satisfies Record<NonNullable<RefundLink['keptOut']>, string>;

/** The exceptions of a posted refund that no correction reverses: its order is missing, not counted, or less than the refund. */
export const exceptionsOfRefund = (link: RefundLink): readonly DraftException[] => {
  if (!link.isPosted || link.isReplaced) return [];
  const at = {
    origin: { file: link.file, line: link.line, record: link.record },
    record: link.id,
    state: link.state,
    effect: negate(link.taxRelieved),
  } as const;
  if (link.noSale !== undefined) {
    const message = `${link.order} is not counted as a sale (${link.noSale}), and its refund is deducted`;
    return [{ ...at, severity: 'error', code: 'refund-of-ignored', message }];
  }
  if (link.keptOut !== undefined) {
    const message = `${link.order} is not counted (${KEPT_OUT[link.keptOut]}), and its refund is deducted`;
    return [{ ...at, severity: 'error', code: 'refund-of-kept-out', message }];
  }
  if (!link.isFound) {
    const message = `${REASONS.R14.name}: ${link.order || 'its order'} is not among the orders that could be read from the exports; it is posted as it stands, at the law of its own day`;
    return [{ ...at, severity: 'warning', code: 'R14', message }];
  }
  if (!link.isOverRefund) return [];
  const [refunded, total] = [formatMoney(link.refunded), formatMoney(link.orderTotal ?? ZERO)];
  const message =
    link.refundedSoFar === link.refunded
      ? `${refunded} was refunded of ${link.order}, which came to ${total}`
      : `${link.order} came to ${total}, and with this refund of ${refunded} its refunds come to ${formatMoney(link.refundedSoFar)}`;
  // More goods than were sold are on no other list; what is no more than tax is a variance of the refund, too.
  if (link.isBeyondAmount) return [{ ...at, severity: 'error', code: 'over-refund', message }];
  const excess = subtract(link.refundedSoFar, link.orderTotal ?? ZERO);
  const effect = money(-Math.min(excess, link.taxRelieved));
  return [{ ...at, severity: 'warning', code: 'over-refund', message, effect }];
};
