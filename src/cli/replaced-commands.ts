/** Commands of earlier versions, each with what to do instead. */
const REPLACED: Readonly<Record<string, string>> = {
  run: 'Import Tieout into a program of your own: docs/library.md',
};

/** A command that is gone, and what to do instead. */
export type ReplacedCommand = { readonly name: string; readonly instead: string };

/** Returns the command that these words name, if an earlier version had it: a command, or a command and a subcommand. */
export const replacedCommand = (words: readonly string[]): ReplacedCommand | undefined => {
  for (const name of [words[0], words.slice(0, 2).join(' ')]) {
    const instead = name === undefined ? undefined : REPLACED[name];
    if (name !== undefined && instead !== undefined) return { name, instead };
  }
  return undefined;
};
