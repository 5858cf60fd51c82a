/** Commands of earlier versions, and their options, each with what to do instead. */
const REPLACED: Readonly<Record<string, string>> = {
  'audit-pack':
    '`tieout close PERIOD --recheck --output NEW` draws a locked period once more and names each file that differs',
  'close --dry-run': 'Use `tieout close PERIOD --plan`',
  compare:
    'With `service.url` in the configuration, a close names each sale whose tax Tieout itself calculates otherwise; with `--content FOLDER` it says which states’ tax another content changes',
  'content fetch':
    '`tieout content status` names the official file and its page; download it, then `tieout content import FILE --content FOLDER`',
  'content suggest':
    'The findings of a close about missing rates have the lines of a rate file; look the rates up, and take the file in with `tieout content import FILE --content FOLDER`',
  late: 'What came late is in open-items.csv of the next open period: answer it in decisions.csv with next, amend or leave (docs/periods.md)',
  plan: 'Use `tieout close PERIOD --plan`',
  restore:
    'Copy what `tieout backup` wrote back to its place, and close the open months again (docs/backups.md)',
  returns:
    '`tieout status` lists the returns of closed periods, the sheets of filing-summary.xlsx have them line by line, and docs/coverage.md has the form of each state',
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
