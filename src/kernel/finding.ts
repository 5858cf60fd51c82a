/** Where a record came from, so that a person can find it in the file. Lines count from 1, as in editors. */
export type Origin = {
  /** The file as the configuration names it. */
  readonly file: string;
  /** The physical line on which the record starts. */
  readonly line: number;
  /** The name of the record in the source, such as an order number; empty when it has none. */
  readonly record: string;
  /** Whose number that is, where the file has those of several stores or registers. */
  readonly store?: string;
  /** Its id beside that number, where its source gives it one that no other shop has. */
  readonly uniqueId?: string;
  /** The kind of report it was read from, where that has records in parts. */
  readonly report?: string;
};

/** `notice` changes nothing, `warning` was handled and should be checked, `error` kept something out of the month. */
export type Severity = 'notice' | 'warning' | 'error';
