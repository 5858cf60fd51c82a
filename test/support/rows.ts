/** The cells of a row as text; a table has as many in each row as its test names. */
type Row = readonly [string, string, string, string, string, string, string, string];

/** Reads a table out of a text: a row a line, with bars between its cells. */
export const rowsOf = (text: string): readonly Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as unknown as Row);

/** A table whose first cells are objects in JSON, in which `null` stands for what is not sent. */
export const casesOf = (text: string): readonly (readonly [object, string, string, string])[] =>
  rowsOf(text).map(([sent, ...cells]) => [JSON.parse(sent) as object, cells[0], cells[1], cells[2]] as const);
