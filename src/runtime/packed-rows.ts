import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Plain rows that are kept packed: a hundred thousand take some megabytes. */
export type PackedRows<Row> = {
  readonly add: (rows: readonly Row[]) => void;
  /** Yields the rows in the order in which they were added, in batches. */
  readonly batches: () => Generator<readonly Row[]>;
};

/** @param size the number of rows of a batch; the last one is smaller */
export const packedRows = <Row>(size: number): PackedRows<Row> => {
  const packed: Uint8Array[] = [];
  let waiting: Row[] = [];
  return {
    add: (rows) => {
      waiting.push(...rows);
      while (waiting.length >= size) {
        packed.push(deflateRawSync(JSON.stringify(waiting.slice(0, size)), { level: 1 }));
        waiting = waiting.slice(size);
      }
    },
    batches: function* () {
      for (const batch of packed) yield JSON.parse(inflateRawSync(batch).toString()) as Row[];
      if (waiting.length > 0) yield waiting;
    },
  };
};
