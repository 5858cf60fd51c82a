/** Compares keys by their UTF-8 bytes, as the databases do. */
export const compareKeys = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one !== other) return inOrderOfBytes(one) - inOrderOfBytes(other);
  }
  return left.length - right.length;
};

/** Characters of two code units sort after all others. */
const inOrderOfBytes = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit);
