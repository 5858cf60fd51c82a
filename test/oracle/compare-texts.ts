import { compareGrids } from './compare-grids.ts';
import { compareLines } from './compare-lines.ts';
import type { Texts } from './pack-texts.ts';

/** What differs in one file, and what a person calls the file; each line goes on where the name of the file ends. */
export type FileDifferences = { readonly file: string; readonly lines: readonly string[] };

/** The files that differ, each with all of its differences. */
export const compareTexts = (was: Texts, is: Texts): readonly FileDifferences[] =>
  [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((path) => {
    const [before, now] = [was.get(path), is.get(path)];
    if (before === now) return [];
    return [{ file: nameOf(path), lines: differencesOf(path, before, now) }];
  });

const differencesOf = (path: string, was: string | undefined, is: string | undefined): readonly string[] => {
  const thing = isSheet(path) ? 'sheet' : 'file';
  if (was === undefined) return [`: the ${thing} is new`];
  if (is === undefined) return [`: the ${thing} is missing`];
  return (isSheet(path) ? compareGrids(was, is) : compareLines(was, is)).map((line) => `, ${line}`);
};

const isSheet = (path: string): boolean => /\.xlsx\/(?!Book\.txt$)/.test(path);

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
