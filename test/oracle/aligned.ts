/** Two items that belong together, or one that has no counterpart. */
export type Pair<Item> = { readonly was: Item | undefined; readonly is: Item | undefined };

/** Two lists side by side: the longest run of items that are the same by their keys, in order, and what is between. */
export const aligned = <Item>(
  was: readonly Item[],
  is: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Pair<Item>[] => {
  const [wasKeys, isKeys] = [was.map(keyOf), is.map(keyOf)];
  let start = 0;
  while (start < was.length && start < is.length && wasKeys[start] === isKeys[start]) start += 1;
  let tail = 0;
  const shorter = Math.min(was.length, is.length) - start;
  while (tail < shorter && wasKeys.at(-1 - tail) === isKeys.at(-1 - tail)) tail += 1;

  const [height, width] = [was.length - tail - start, is.length - tail - start];
  // How many items the rests have in common, from each place on.
  const common = Array.from({ length: height + 1 }, () => new Uint32Array(width + 1));
  const at = (row: number, column: number): number => common[row]?.[column] ?? 0;
  const same = (row: number, column: number): boolean => wasKeys[start + row] === isKeys[start + column];
  for (let row = height - 1; row >= 0; row -= 1)
    for (let column = width - 1; column >= 0; column -= 1) {
      const line = common[row];
      if (line)
        line[column] = same(row, column)
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }

  const pairs: Pair<Item>[] = [];
  const take = (wasIndex: number | undefined, isIndex: number | undefined) =>
    pairs.push({
      was: wasIndex === undefined ? undefined : was[wasIndex],
      is: isIndex === undefined ? undefined : is[isIndex],
    });
  for (let index = 0; index < start; index += 1) take(index, index);
  let [row, column] = [0, 0];
  while (row < height || column < width) {
    if (row < height && column < width && same(row, column)) take(start + row++, start + column++);
    else if (column >= width || (row < height && at(row + 1, column) >= at(row, column + 1)))
      take(start + row++, undefined);
    else take(undefined, start + column++);
  }
  for (let index = tail; index > 0; index -= 1) take(was.length - index, is.length - index);
  return pairs;
};

/** What stands alone between two pairs, as two lists. */
export const gapsIn = <Item>(
  pairs: readonly Pair<Item>[],
  onGap: (was: readonly Item[], is: readonly Item[]) => readonly Pair<Item>[],
): readonly Pair<Item>[] => {
  const filled: Pair<Item>[] = [];
  let [was, is]: [Item[], Item[]] = [[], []];
  const close = () => {
    if (was.length > 0 || is.length > 0) filled.push(...onGap(was, is));
    [was, is] = [[], []];
  };
  for (const pair of pairs) {
    if (pair.was !== undefined && pair.is !== undefined) {
      close();
      filled.push(pair);
    } else {
      if (pair.was !== undefined) was.push(pair.was);
      if (pair.is !== undefined) is.push(pair.is);
    }
  }
  close();
  return filled;
};
