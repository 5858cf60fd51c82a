/** A table whose columns are as wide as their widest cell. */
export const tableLines = (rows: readonly (readonly string[])[]): readonly string[] => {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[], fill: string) => {
    const padded = row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill));
    return `| ${padded.join(' | ')} |`;
  };
  const [head = '', ...body] = cells.map((row) => line(row, ' '));
  const rule = line(Array(widths.length).fill(''), '-');
  return [head, rule, ...body];
};

/** A value as it is written in YAML, set as code. */
export const code = (value: unknown): string => {
  const isPlain = typeof value === 'string' && !/^[\d.]+$|^#|\t/.test(value);
  return `\`${isPlain ? value : JSON.stringify(value)}\``;
};
