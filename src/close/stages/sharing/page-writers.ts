import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { Json } from '../../../kernel/digest.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { buildOf, type DayBatch } from './batch.ts';

/** The approximate bytes of a sale in an export. */
const SALE_BYTES = 256;

/** Whether this many bytes of an export are enough work to share. */
export const isEnoughFor = ({ salesMin }: { readonly salesMin: () => number }, bytes: number): boolean =>
  bytes > salesMin() * SALE_BYTES;

/** Workers that write the pages of the sales that were read. */
export type PageWriters = {
  /** As in `Threads`. */
  readonly salesMin: () => number;
  /** Has the first free worker write the pages of a day. `waiting` may cancel that by throwing an error. */
  readonly writeDay: (day: CalendarDate, waiting: () => void) => Promise<unknown>;
};

/** The batches below which the close has written its pages before workers have answered. */
const BATCHES_MIN = 200;

/** Returns the workers of a close as writers of pages, if it has any. */
export const pageWriters = (ports: ClosePorts): PageWriters | undefined => {
  const { workers, workspace } = ports;
  const ask = workers?.ask;
  if (!ask) return undefined;
  const by = { build: buildOf(ports), entity: workspace.entity };
  return {
    salesMin: () => BATCHES_MIN * workers.itemsPerPiece,
    writeDay: (day, waiting) => {
      const batch: DayBatch = { ...by, stage: 'sale-pages', day };
      return ask(batch as unknown as Json, waiting);
    },
  };
};
