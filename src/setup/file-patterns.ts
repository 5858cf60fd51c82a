/** What one list of files is named by: patterns, or the names of files for which there is none. */
export type FilePatterns = {
  readonly entries: readonly string[];
  /** Files that are named by themselves, so that the next download has to be named as well. */
  readonly alone: readonly string[];
};

/**
 * The patterns of files, by their names without numbers and dates, so that the next month's download is read as well. A
 * pattern is used only where it fits no file of another list; of a name with digits there is a narrower one.
 *
 * @param files the files of one list
 * @param all every file in the folder
 */
export const filePatterns = (files: readonly string[], all: readonly string[]): FilePatterns => {
  const others = all.filter((name) => !files.includes(name));
  const named = files.map((name) => {
    const pattern = patternsOf(name).find((one) => !others.some((other) => fits(one, other)));
    return { name, pattern: pattern ?? name };
  });
  const used = [...new Set(named.map(({ pattern }) => pattern))];
  return {
    // A pattern that fits the text of another one fits all of its files.
    entries: used.filter((one) => !used.some((other) => other !== one && fits(other, one))),
    alone: named.filter(({ name, pattern }) => name === pattern).map(({ name }) => name),
  };
};

const MONTH =
  '(?<![a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])';
/** A number, or a date: numbers and months with what stands between them. */
const DATED = new RegExp(`(?:\\d+|${MONTH})(?:[-_., ]*(?:\\d+|${MONTH}|to(?![a-z])))*`, 'gi');

/** The patterns of a name, the widest first; none of a name that only a pattern for every file would fit. */
const patternsOf = (name: string): readonly string[] => {
  const dot = name.lastIndexOf('.');
  const [whole, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const stem = whole.replace(/ ?\(\d+\)$/, '');
  if (/[*?[\]{}()!]/.test(stem)) return [];
  const wide = stem.replace(DATED, '*').replace(/\*[-_ .*]*\*/g, '*');
  // Without its month, a name is not told apart by its digits.
  const narrow = new RegExp(MONTH, 'i').test(stem) ? stem : stem.replace(/\d+(?:[-_., ]*\d+)*/g, '[0-9]*');
  return [
    ...(wide === '*' ? [] : [wide.includes('*') ? wide : `${wide}*`]),
    ...(narrow === stem ? [] : [narrow]),
  ].map((pattern) => `${pattern}${ending}`);
};

const fits = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .split(/(\*|\[0-9\])/)
      .map((part) =>
        part === '*' ? '.*' : part === '[0-9]' ? part : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('')}$`,
  ).test(name);
