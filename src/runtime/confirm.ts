import { createInterface } from 'node:readline/promises';

/** Ask on the terminal; anything but a yes is a no, and so is an end of input. */
export const confirm = async (question: string): Promise<boolean> => {
  if (process.stdin.isTTY !== true) return false;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
  const answer = await Promise.race([asking.question(`${question} [y/N] `), ended]);
  asking.close();
  return /^y(?:es)?$/i.test(answer.trim());
};
