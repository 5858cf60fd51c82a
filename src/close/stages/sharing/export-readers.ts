import type { Json } from '../../../kernel/digest.ts';
import type { ClosePorts, Threads } from '../run/close-ports.ts';
import { buildOf, type ExportBatch } from './batch.ts';

/** The approximate bytes of a sale in an export. */
const SALE_BYTES = 256;

/** Whether this many bytes of an export are enough work for threads. */
export const isEnoughFor = ({ salesMin }: Pick<Threads, 'salesMin'>, bytes: number): boolean =>
  bytes > salesMin() * SALE_BYTES;

/** Threads that read shares of exports. */
export type ExportReaders = {
  /** As in `Threads`. */
  readonly salesMin: () => number;
  /** Have the first free thread read a share. `waiting` may cancel that by throwing an error. */
  readonly read: (share: Json, waiting: () => void) => Promise<Json>;
};

/** Returns the threads of a close as readers of its exports, if it has any. */
export const exportReaders = (ports: ClosePorts): ExportReaders | undefined => {
  const { threads, workspace } = ports;
  const ask = threads?.ask;
  if (!ask) return undefined;
  const made = { build: buildOf(ports), entity: workspace.entity, stage: 'extract' } as const;
  return {
    salesMin: threads.salesMin,
    read: (share, waiting) => ask({ ...made, share } satisfies ExportBatch as unknown as Json, waiting),
  };
};
