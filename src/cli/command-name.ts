type Environment = (name: string) => string | undefined;

const OF_SCRIPTS: Readonly<Record<string, string>> = {
  start: 'npm run tieout --',
  tieout: 'npm run tieout --',
};

/** How this program was started: through npm, which names its script in the environment, or by its own name. */
const commandName = (variable: Environment): string => {
  const event = variable('npm_lifecycle_event') ?? '';
  if (event === 'npx' && variable('npm_lifecycle_script')?.includes('tieout')) return 'npx tieout';
  return OF_SCRIPTS[event] ?? 'tieout';
};

/** Where texts name a command: in backticks, at the start of a line, in the usage of a help. */
const COMMAND = /(?<=`|^ *|Usage:\S* )tieout(?= )/gm;

/** Texts name each command as `tieout close`. What is printed names it in the form in which the program was called. */
export const namedAsCalled = (variable: Environment): ((text: string) => string) => {
  const name = commandName(variable);
  return name === 'tieout' ? (text) => text : (text) => text.replace(COMMAND, name);
};
