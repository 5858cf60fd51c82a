/**
 * The tables of records that are sent to a service, or that it has, in addition to sales. `tables.ts` has the others.
 */

/** A further refund that brings a recorded refund to what its export states now. The two count as one figure. */
export type RefundAdjustmentRow = {
  entity: string;
  service: string;
  provider: string;
  /** Its id in the service. */
  id: string;
  /** The refund that it adjusts. */
  key: string;
  body: string;
  /** `sending` until the answer is known, then `held`. */
  state: string;
};

/** The provider under which the records of a channel are sent. */
export type ChannelProviderRow = { entity: string; service: string; channel: string; provider: string };

/** A sale that was sent because of a person's decision. */
export type DecidedRecordRow = {
  entity: string;
  service: string;
  key: string;
  provider: string;
  kind: string;
  id: string;
  business_date: string;
  /** `sent`, or `withdrawn` after the decision was revoked and the record deleted. */
  state: string;
};

export type RecordedRow = {
  entity: string;
  service: string;
  provider: string;
  /** `order` or `refund`; `listed order` or `listed refund` for a record that the service lists but does not show. */
  kind: string;
  id: string;
  /** For a record that is not shown: a day of the period among those for which it was listed. */
  instant: number;
  business_date: string;
  /** Empty for a record that is not shown. */
  body: string;
};
