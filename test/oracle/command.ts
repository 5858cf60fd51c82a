import { spawn } from 'node:child_process';
import { commandIo, PROGRAM, runCommand } from '../entry/command.ts';

/** How a command ended and what it printed. */
export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Run the command in a process of its own, in a folder. */
export const command = (folder: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder });
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
  const io = commandIo({
    version: '0',
    print: (text) => {
      stdout += text;
    },
    warn: (text) => {
      stderr += text;
    },
  });
  return { code: await runCommand(args, io, '0'), stdout, stderr };
};
