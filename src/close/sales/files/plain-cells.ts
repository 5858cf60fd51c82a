const QUOTE = 34;

/**
 * The cells of one record whose quotes are regular: around whole cells, and doubled inside them. `undefined` for any
 * other record, about which the parser decides.
 */
export const plainCells = (record: string, delimiter: string): readonly string[] | undefined => {
  const cells: string[] = [];
  let quote = record.indexOf('"');
  for (let at = 0; ; ) {
    if (record.charCodeAt(at) === QUOTE) {
      let close = record.indexOf('"', at + 1);
      let isDoubled = false;
      while (close >= 0 && record.charCodeAt(close + 1) === QUOTE) {
        isDoubled = true;
        close = record.indexOf('"', close + 2);
      }
      if (close < 0) return undefined;
      const cell = record.slice(at + 1, close);
      cells.push(isDoubled ? cell.replaceAll('""', '"') : cell);
      if (close + 1 === record.length) return cells;
      if (!record.startsWith(delimiter, close + 1)) return undefined;
      at = close + 1 + delimiter.length;
      quote = record.indexOf('"', at);
      continue;
    }
    const end = record.indexOf(delimiter, at);
    if (quote >= 0 && (end < 0 || quote < end)) return undefined;
    if (end < 0) {
      cells.push(record.slice(at));
      return cells;
    }
    cells.push(record.slice(at, end));
    at = end + delimiter.length;
  }
};
