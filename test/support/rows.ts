/** The cells of a row as text; a table has as many in each row as its test names. */
type Row = readonly [string, string, string, string, string, string, string, string];

/** Reads a table out of a text: a row a line, with bars between its cells. */
export const rowsOf = (text: string): readonly Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as unknown as Row);
