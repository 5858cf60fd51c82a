/** Compare two texts by their code units: the same order on every machine and in every language. */
export const compareText = (left: string, right: string): number => {
  if (left === right) return 0;
  return left < right ? -1 : 1;
};
