/** Excel's name of a column, counting from 1: 1 is `A`, 27 is `AA`. */
export const columnLetter = (column: number): string => {
  const rest = Math.floor((column - 1) / 26);
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return rest === 0 ? letter : columnLetter(rest) + letter;
};
