import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { Json } from '../../../kernel/digest.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { buildOf, type DayBatch, type ExportBatch } from './batch.ts';

/** The approximate bytes of a sale in an export. */
const SALE_BYTES = 256;

/** Whether this many bytes of an export are enough work to share. */
export const isEnoughFor = ({ salesMin }: { readonly salesMin: () => number }, bytes: number): boolean =>
  bytes > salesMin() * SALE_BYTES;

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

/** A thread takes the next share at once. */
const THREADS = { shareBytes: 128 * 1024, ahead: 12 };

/** A worker looks for the next share several times a second, and its answer travels through the database. */
const WORKERS = { shareBytes: 512 * 1024, ahead: 32 };

/** The batches below which the close has read an export before workers have answered. */
const BATCHES_MIN = 200;

/** Returns the workers or threads of a close as readers of its exports, if it has any. */
export const exportReaders = (ports: ClosePorts): ExportReaders | undefined => {
  const { threads, workers, workspace } = ports;
  const ask = (workers ?? threads)?.ask;
  if (!ask) return undefined;
  const how = workers
    ? { ...WORKERS, salesMin: () => BATCHES_MIN * workers.itemsPerPiece }
    : { ...THREADS, salesMin: () => threads?.salesMin() ?? 0 };
  const isElsewhere = workers !== undefined;
  const by = { build: buildOf(ports), entity: workspace.entity };
  const hand = (batch: ExportBatch | DayBatch, waiting: () => void) => ask(batch as unknown as Json, waiting);
  return {
    ...how,
    read: (file, share, waiting) => hand({ ...by, stage: 'extract', file, share, isElsewhere }, waiting),
    ...(isElsewhere && {
      writeDay: (day, waiting) => hand({ ...by, stage: 'sale-pages', day }, waiting),
    }),
  };
};
