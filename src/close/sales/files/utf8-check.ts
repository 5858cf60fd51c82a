import { isUtf8 } from 'node:buffer';

/** Tells of a sequence of pieces whether all of them together are valid UTF-8, wherever a piece ends. */
export const utf8Check = (): {
  readonly add: (piece: Buffer) => void;
  readonly end: () => boolean;
} => {
  let isValid = true;
  let open: Buffer = Buffer.alloc(0);
  return {
    add: (piece) => {
      if (!isValid) return;
      const bytes = open.length === 0 ? piece : Buffer.concat([open, piece]);
      const cut = bytes.length - openBytesAtEnd(bytes);
      isValid = isUtf8(bytes.subarray(0, cut));
      open = Buffer.from(bytes.subarray(cut));
    },
    end: () => isValid && open.length === 0,
  };
};

/** How many bytes at the end begin a character that has not all of its bytes yet. */
const openBytesAtEnd = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
};
