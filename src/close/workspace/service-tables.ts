/** What is sent to a service beside sales, and what it holds beside them. `tables.ts` has the rest. */

/** A further refund that brings a recorded refund to what its export says now: the two are one figure. */
export type RefundAdjustmentRow = {
  entity: string;
  service: string;
  provider: string;
  /** The id it has with the service. */
  id: string;
  /** The refund that it adjusts. */
  key: string;
  body: string;
  /** `sending` until the answer is known, then `held`. */
  state: string;
};

/** A sale that was sent because a person decided so. */
export type DecidedRecordRow = {
  entity: string;
  service: string;
  key: string;
  provider: string;
  kind: string;
  id: string;
  business_date: string;
  /** `sent`, or `withdrawn` once the decision was taken back and the record deleted. */
  state: string;
};

export type RecordedRow = {
  entity: string;
  service: string;
  provider: string;
  /** `order` or `refund`; `listed order` or `listed refund` of what the service lists and does not show. */
  kind: string;
  id: string;
  /** Of what is not shown: a day of the period among those that it was listed for. */
  instant: number;
  business_date: string;
  /** Empty for what is not shown. */
  body: string;
};
