type Environment = (name: string) => string | undefined;

const OF_SCRIPTS: Readonly<Record<string, string>> = {
  start: 'npm run tieout --',
  tieout: 'npm run tieout --',
};

/** Returns how this program was called: through npm, which sets the script's name as a variable, or by its own name. */
const commandName = (variable: Environment): string => {
  const event = variable('npm_lifecycle_event') ?? '';
  if (event === 'npx' && variable('npm_lifecycle_script')?.includes('tieout')) return 'npx tieout';
  return OF_SCRIPTS[event] ?? 'tieout';
};

/** Matches command names in texts: in backticks, at the start of a line, or in the usage line of help. */
const COMMAND = /(?<=`|^ *|Usage:\S* )tieout(?= )/gm;

/** Texts name commands as `tieout close`. This replaces `tieout` with the form in which the program was called. */
export const namedAsCalled = (variable: Environment): ((text: string) => string) => {
  const name = commandName(variable);
  return name === 'tieout' ? (text) => text : (text) => text.replace(COMMAND, name);
};
