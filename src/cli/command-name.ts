const STARTS: Readonly<Record<string, string>> = { tieout: 'npm run tieout --', npx: 'npx tieout' };

/** How this program was started: through npm, which names its script in the environment, or by its own name. */
export const commandName = (variable: (name: string) => string | undefined): string =>
  STARTS[variable('npm_lifecycle_event') ?? ''] ?? 'tieout';
