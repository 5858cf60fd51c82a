/** What a close does to the world, by kind; `record` is a commit of the books. */
export const OPERATIONS = [
  'statement',
  'begin',
  'commit',
  'record',
  'create',
  'write',
  'rename',
  'remove',
  'query',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** How many of each kind a whole close does. */
export type Tally = Readonly<Partial<Record<Operation, number>>>;

/**
 * The instant at which the process kills itself: around the nth operation of a kind, counted from one. `during` lets
 * another thread do it this many microseconds after the operation has begun.
 */
export type KillPoint = {
  readonly operation: Operation;
  readonly nth: number;
  readonly when: 'before' | 'during' | 'after';
  readonly afterMicroseconds: number;
};

/** The variables with which a preloaded module learns what to do. */
export const KILL_POINT = 'TIEOUT_TEST_KILL_POINT';
export const TALLY_FILE = 'TIEOUT_TEST_TALLY_FILE';
