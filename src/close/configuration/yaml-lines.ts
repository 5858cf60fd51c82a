import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** A YAML document, and the line on which a path of it stands. */
export type PlacedDocument = {
  readonly document: Document;
  /** Counted from 1. The line of the nearest part around it where the path itself is not there. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
};

/** Read YAML. What is odd about it shows in the keys that are then wrong, and the library prints no warning. */
export const placedDocument = (text: string): PlacedDocument => {
  const lines = new LineCounter();
  const document = parseDocument(text, { logLevel: 'error', lineCounter: lines });
  return { document, lineOf: (path) => lines.linePos(offsetOf(document, path)).line };
};

const offsetOf = ({ contents }: Document, path: readonly PropertyKey[]): number => {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
};
