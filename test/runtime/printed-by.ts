import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a program prints in a process of its own, which V8 is started in with these flags. */
export const printedBy = async (program: string, flags: readonly string[] = []): Promise<string> => {
  const { stdout } = await run(process.execPath, [...flags, '--eval', program]);
  return stdout;
};
