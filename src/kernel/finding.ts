/** Where a record came from, so that a person can open the file and see it. Lines count from 1, as editors do. */
export type Origin = {
  /** The file as the configuration names it. */
  readonly file: string;
  /** The physical line on which the record starts. */
  readonly line: number;
  /** What the source calls the record, such as an order number; empty when it has no name. */
  readonly record: string;
};

/** `notice` changes nothing, `warning` was handled and is worth a look, `error` kept something out of the month. */
export type Severity = 'notice' | 'warning' | 'error';

/** A statement about one record that a person may have to act on. A bad row is a finding, never an exception. */
export type Finding = {
  readonly code: string;
  readonly severity: Severity;
  readonly origin: Origin;
  /** The rule and what was found, as a sentence. */
  readonly message: string;
  readonly column?: string;
  readonly value?: string;
};
