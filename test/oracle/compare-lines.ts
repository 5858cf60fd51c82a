import { aligned } from './aligned.ts';

/** Lines that are gone and lines that are new, each with its number in the text that has it. */
export const compareLines = (was: string, is: string): readonly string[] => {
  const pairs = aligned(linesOf(was), linesOf(is), ({ text }) => text);
  return pairs.flatMap((pair) => {
    if (pair.was && pair.is) return [];
    if (pair.was) return [`line ${pair.was.number}: - ${pair.was.text}`];
    return pair.is ? [`line ${pair.is.number}: + ${pair.is.text}`] : [];
  });
};

const linesOf = (text: string): readonly { readonly number: number; readonly text: string }[] =>
  text.split('\n').map((line, index) => ({ number: index + 1, text: line }));
