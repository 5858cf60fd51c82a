import type { CalendarDate } from '../../kernel/calendar.ts';

/** The last day of a row that is still in force. */
export const OPEN_END = '9999-12-31';

/**
 * A row of law or of a rate, in force on every day from `from` to `to`, both included. An empty `from` means that the
 * start is unknown; `to` is `9999-12-31` while the row is in force. Every row names its source and its confidence.
 */
export type Dated = {
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly confidence: string;
};

/** The source of a row that an official file of a state has, which somebody imported. */
export const fileSource = (state: string): string => `${state.toLowerCase()}-file`;

/** The source of a row that a Streamlined file of a state has. */
export const streamlinedSource = (state: string): string => `sst-${state.toLowerCase()}`;

/** Whether a row of a state is from an official file, so that it has the codes that official boundary files have. */
export const hasFileCode = ({
  state,
  source,
}: {
  readonly state: string;
  readonly source: string;
}): boolean => source === fileSource(state) || source === streamlinedSource(state);

/** Whether the authority itself says what a row says: such a row stands before every other. */
export const isOfficial = ({ confidence }: { readonly confidence?: string }): boolean =>
  confidence?.startsWith('official') === true;

/** Whether a row is from a source that only refers to the authority. */
export const isSecondary = ({ confidence }: Dated): boolean => confidence.startsWith('secondary');

export const isInForce = (row: Dated, date: CalendarDate): boolean => row.from <= date && date <= row.to;

/** Find the row in force on a day; if two rows share the day, the one that began later. */
export const inForce = <Row extends Dated>(rows: readonly Row[], date: CalendarDate): Row | undefined => {
  let found: Row | undefined;
  for (const row of rows) {
    if (isInForce(row, date) && (found === undefined || row.from > found.from)) found = row;
  }
  return found;
};

/** Find the row nearest to a day that no row covers: the first one after it, otherwise the last one before it. */
export const nearest = <Row extends Dated>(rows: readonly Row[], date: CalendarDate): Row | undefined => {
  const sorted = [...rows].sort((left, right) => (left.from < right.from ? -1 : 1));
  return sorted.find((row) => row.from > date) ?? sorted.at(-1);
};
