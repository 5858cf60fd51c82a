/** Commands of earlier versions, and their options, each with what to do instead. */
const REPLACED: Readonly<Record<string, string>> = {
  'close --dry-run': 'Use `tieout close PERIOD --plan`',
  plan: 'Use `tieout close PERIOD --plan`',
  run: 'Import Tieout into a program of your own: docs/library.md',
};

/** A command that is gone, and what to do instead. */
export type ReplacedCommand = { readonly name: string; readonly instead: string };

/** Returns what a command line names that only an earlier version had: a command, a subcommand, or an option. */
export const replacedCommand = (argv: readonly string[]): ReplacedCommand | undefined => {
  const [command = '', second = ''] = argv.filter((word) => !word.startsWith('-') && word !== 'help');
  const options = argv.filter((word) => word.startsWith('--')).map((option) => `${command} ${option}`);
  for (const name of [command, `${command} ${second}`, ...options]) {
    const instead = REPLACED[name];
    if (instead !== undefined) return { name, instead };
  }
  return undefined;
};
