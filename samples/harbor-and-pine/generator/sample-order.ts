import type { Product } from './catalogue.ts';
import type { Place } from './places.ts';
import type { ShopMistake } from './shop-mistake.ts';
import type { Instant } from './store-time.ts';

export type SampleLine = {
  readonly product: Product;
  readonly quantity: number;
  /** Taken off this line as a whole. */
  readonly discountCents: number;
};

/** An address as the export prints it; the ZIP carries its apostrophe already. */
export type Address = {
  readonly name: string;
  readonly address1: string;
  readonly address2: string;
  readonly company: string;
  readonly city: string;
  readonly zip: string;
  readonly province: string;
  readonly provinceName: string;
  readonly country: string;
  readonly phone: string;
};

/** What the close should do with the order's rows, and the word for it in `expected.json`. */
export type Outcome =
  | { readonly kind: 'accepted' }
  /** Accepted after a repair, or although something is missing. */
  | { readonly kind: 'warning'; readonly reason: string }
  /** Visible, and not posted before a person has decided. */
  | { readonly kind: 'review'; readonly reason: string }
  /** A sale that no state's return is about. */
  | { readonly kind: 'outside'; readonly reason: string }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly reason: string };

/** What was planted in an order: the item of the README's table, and the reason code or reason expected. */
export type Plant = { readonly item: number; readonly code: string };

export type RefundPlan = {
  readonly kind: 'full' | 'partial';
  readonly at: Instant;
};

/** One order of the month, before any tax is computed and before any cell is damaged. */
export type SampleOrder = {
  /** Printed as `#5010`. */
  readonly number: number;
  readonly createdAt: Instant;
  readonly email: string;
  readonly acceptsMarketing: boolean;
  readonly currency: string;
  /** The place whose tax applies; undefined outside the United States. */
  readonly place: Place | undefined;
  readonly shipTo: Address | undefined;
  readonly billTo: Address | undefined;
  readonly lines: readonly SampleLine[];
  readonly discountCode: string;
  readonly orderDiscountCents: number;
  readonly shippingMethod: string;
  readonly shippingCents: number;
  readonly status: string;
  readonly payment: string;
  readonly channel: Channel;
  readonly cancelledAt: Instant | undefined;
  readonly fulfilledAt: Instant | undefined;
  readonly note: string;
  readonly noteAttributes: string;
  readonly tags: string;
  readonly refund: RefundPlan | undefined;
  readonly mistake: ShopMistake | undefined;
  readonly outcome: Outcome;
  readonly plant: Plant | undefined;
};

type Channel = 'web' | 'pos' | 'download';

export const nameOf = (number: number): string => `#${number}`;
