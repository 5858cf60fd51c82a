/** `A` is 1, `AA` is 27. */
export const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

const columnLetters = (number: number): string =>
  number === 0
    ? ''
    : columnLetters(Math.floor((number - 1) / 26)) + String.fromCharCode(65 + ((number - 1) % 26));

export type Place = {
  readonly row: number;
  readonly column: number;
};

/** `C7` as a place; `$` is left out. */
export const placeOf = (address: string): Place => {
  const [, letters = '', digits = ''] = /^\$?([A-Z]+)\$?(\d+)$/.exec(address) ?? [];
  if (letters === '') throw new Error(`${address} is not the address of a cell`);
  return { row: Number(digits), column: columnNumber(letters) };
};

export const addressOf = ({ row, column }: Place): string => `${columnLetters(column)}${row}`;

/**
 * Cells of equal content as few ranges: down each column first, then across columns that have the same runs.
 */
export const rangesOf = (content: ReadonlyMap<string, string>): readonly (readonly [string, string])[] => {
  const cells = [...content].map(([address, text]) => ({ ...placeOf(address), text }));
  cells.sort((a, b) => a.column - b.column || a.row - b.row);
  const runs: Run[] = [];
  for (const { row, column, text } of cells) {
    const run = runs.at(-1);
    if (run && run.right === column && run.bottom === row - 1 && run.text === text) run.bottom = row;
    else runs.push({ top: row, bottom: row, left: column, right: column, text });
  }
  const areas: Run[] = [];
  for (const run of runs) {
    const beside = areas.find(
      (area) =>
        area.right === run.left - 1 &&
        area.top === run.top &&
        area.bottom === run.bottom &&
        area.text === run.text,
    );
    if (beside) beside.right = run.right;
    else areas.push(run);
  }
  areas.sort((a, b) => a.top - b.top || a.left - b.left);
  return areas.map(({ top, bottom, left, right, text }) => {
    const first = addressOf({ row: top, column: left });
    const last = addressOf({ row: bottom, column: right });
    return [first === last ? first : `${first}:${last}`, text];
  });
};

type Run = {
  readonly top: number;
  bottom: number;
  readonly left: number;
  right: number;
  readonly text: string;
};
