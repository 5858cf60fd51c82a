import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildServer, type ServeOptions } from '../../src/app/build-server.ts';
import { buildIo } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import { loadWholeContent } from '../../src/content/load-content.ts';

/** The built program, for a process of its own. */
export const PROGRAM = fileURLToPath(new URL('../../dist/tieout.js', import.meta.url));

export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** What a command is given of its surroundings; a test may put other parts in their place. */
export type CommandIo = ReturnType<typeof buildIo>;
export type Surroundings = Partial<Parameters<typeof buildIo>[0]>;

/** Surroundings of a command in this process: no variables, no terminal, and nothing is printed anywhere. */
export const commandIo = (surroundings: Surroundings = {}): CommandIo =>
  buildIo({
    version: VERSION,
    variable: () => undefined,
    print: () => {},
    warn: () => {},
    isTerminal: false,
    ...surroundings,
  });

/** Run a command line in this process; answers its exit code. */
export const runCommand = (args: readonly string[], io: CommandIo, version = VERSION): Promise<number> =>
  run(args, version, io);

/** Serve in this process, as `tieout serve` does, without a log. */
export const serve = (options: ServeOptions) => buildServer(options, loadWholeContent, () => {});
