import type { Json } from '../../../kernel/digest.ts';
import type { ClosePorts, Threads } from '../run/close-ports.ts';
import { buildOf, type ExportBatch } from './batch.ts';

/** Bytes of a sale in an export, about. */
const SALE_BYTES = 256;

/** Whether so much of an export is enough work for threads. */
export const isEnoughFor = ({ salesMin }: Pick<Threads, 'salesMin'>, bytes: number): boolean =>
  bytes > salesMin() * SALE_BYTES;

/** Threads that read shares of exports. */
export type ExportReaders = {
  /** As of `Threads`. */
  readonly salesMin: () => number;
  /** Have the first thread that is free read a share. `waiting` may end that by throwing. */
  readonly read: (share: Json, waiting: () => void) => Promise<Json>;
};

/** The threads of a close as readers of its exports, where it has any. */
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
