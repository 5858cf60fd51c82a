import type { Texts } from './pack-texts.ts';

/** What differs in one file, and what a person calls the file; each line goes on where the name of the file ends. */
export type FileDifferences = {
  readonly file: string;
  readonly lines: readonly string[];
};

/** The files that differ, each with all of its differences. */
export const compareTexts = (was: Texts, is: Texts): readonly FileDifferences[] =>
  [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((path) => {
    const before = was.get(path);
    const now = is.get(path);
    if (before === now) return [];
    return [{ file: nameOf(path), lines: differencesOf(before, now) }];
  });

const differencesOf = (was: string | undefined, is: string | undefined): readonly string[] => {
  if (was === undefined) return [': it is new'];
  if (is === undefined) return [': it is missing'];
  const before = linesOf(was);
  const now = linesOf(is);
  const lines = [
    ...without(before, now).map((line) => `, - ${line}`),
    ...without(now, before).map((line) => `, + ${line}`),
  ];
  return lines.length > 0 ? lines : [': the same lines stand in another order'];
};

/** Lines of a text. Rows of a sheet go without their numbers: those below a new row are the same. */
const linesOf = (text: string): readonly string[] =>
  text.split('\n').map((line) => line.replace(/^\d+ \| /, '| '));

/** The lines of one list that another one lacks, each as often as it does. */
const without = (lines: readonly string[], others: readonly string[]): readonly string[] => {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
};

/** `2026-10/variance.xlsx/By state.txt` is 2026-10, variance.xlsx, By state. */
const nameOf = (path: string): string =>
  path.replace(/(\.xlsx\/.*|\.html)\.txt$/, '$1').replaceAll('/', ', ');

/** Enough of a file to see what is wrong with it. */
const SHOWN_MAX = 15;

/** The differences of a scenario as a person reads them. */
export const differencesText = (scenario: string, files: readonly FileDifferences[]): string =>
  files
    .flatMap(({ file, lines }) => {
      const shown = lines.slice(0, SHOWN_MAX).map((line) => `${scenario}, ${file}${line}`);
      const rest = lines.length - shown.length;
      return rest > 0 ? [...shown, `${scenario}, ${file}: and ${rest} more`] : shown;
    })
    .map((line) => `${line}\n`)
    .join('');
