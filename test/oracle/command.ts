import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildIo } from '../../src/app/build-io.ts';
import { run } from '../../src/cli/run.ts';

/** The command as a user has it. This and `commandHere` are all that has to follow when the program is rebuilt. */
const COMMAND = fileURLToPath(new URL('../../dist/tieout.js', import.meta.url));

/** How a command ended and what it printed. */
export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Run the command in a process of its own, in a folder. */
export const command = (folder: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], { cwd: folder });
    // A character of several bytes can be in two pieces.
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8');
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (piece: string) => {
      stdout += piece;
    });
    child.stderr.on('data', (piece: string) => {
      stderr += piece;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });

/** Run the same command line in this process, which loads the program once for hundreds of them. */
export const commandHere = async (args: readonly string[]): Promise<Ran> => {
  let stdout = '';
  let stderr = '';
  const io = buildIo({
    version: '0',
    variable: () => undefined,
    print: (text) => {
      stdout += text;
    },
    warn: (text) => {
      stderr += text;
    },
    isTerminal: false,
  });
  return { code: await run(args, '0', io), stdout, stderr };
};
