import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { Json } from '../../../kernel/digest.ts';

/** Threads or workers that read shares of exports. */
export type ExportReaders = {
  /** As in `Threads`. */
  readonly salesMin: () => number;
  /** The most bytes in a share. */
  readonly shareBytes: number;
  /** How many shares may be being read or waiting to be stored. */
  readonly ahead: number;
  /**
   * Have the first free reader read a share of the export with this name. `waiting` may cancel that by throwing an
   * error.
   */
  readonly read: (file: string, share: Json, waiting: () => void) => Promise<Json>;
  /** Have the first free reader write the pages of a day; absent where only one process can write at a time. */
  readonly writeDay?: (day: CalendarDate, waiting: () => void) => Promise<unknown>;
};
