/** Which service answers, what was sent to it, and what it holds. `tables.ts` has the rest. */

/** Which service answers for an entity, by its id. */
export type AnsweringRow = {
  entity: string;
  service: string;
  /** 1 when there may be answers of other services that nothing refers to any more, 0 when there are none. */
  orphans: number;
};

export type SubmissionRow = {
  entity: string;
  key: string;
  service: string;
  /** Digest of the body that was sent, or is about to be. */
  body_digest: string;
  sale_digest: string;
  /** `sending` until the answer is known; then `held`, `refused` or `conflict`; `missing` when it was gone later. */
  state: string;
  detail: string;
};

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
