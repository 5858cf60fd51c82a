import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** A YAML document with the lines of its paths. */
export type PlacedDocument = {
  readonly document: Document;
  /** Line of a path, counted from 1; the line of its nearest parent if the path is missing. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
};

/** Parse YAML. Warnings of the library are not printed: their causes show up later as invalid keys. */
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
