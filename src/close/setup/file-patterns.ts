/**
 * Patterns for files whose names differ by numbers and dates, so that the export of the next month is read as well. A
 * pattern is used only where it fits no other file of the folder; otherwise files are named one by one.
 *
 * @param entries the files that belong together
 * @param all every file of the folder
 */
export const filePatterns = (entries: readonly string[], all: readonly string[]): readonly string[] => {
  const patterns = [...new Set(entries.map(patternOf))];
  const mine = new Set(entries);
  const isOurs = (pattern: string): boolean => all.every((name) => mine.has(name) || !fits(pattern, name));
  const used = patterns.flatMap((pattern) =>
    isOurs(pattern) ? [pattern] : entries.filter((entry) => patternOf(entry) === pattern),
  );
  // What fits the text of another pattern fits every file of it.
  return used.filter((one) => !used.some((other) => other !== one && fits(other, one)));
};

const patternOf = (name: string): string => {
  if (/[*?[\]{}()!]/.test(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const open = stem
    .replace(/\d+(?:[-_. ]*(?:\d+|to|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?![a-z]))*/gi, '*')
    .replace(/\*[-_ .*]*\*/g, '*');
  return `${open.includes('*') ? open : `${open}*`}${ending}`;
};

const fits = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  ).test(name);
