import { createInterface } from 'node:readline/promises';
import { TieoutError } from '../kernel/errors.ts';

/**
 * Asks the person at the terminal a question, on standard error, so that standard output has only the command's output.
 *
 * @throws {TieoutError} E_STOPPED when the person leaves instead of answering
 */
export const terminalQuestion = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const left = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(stopped()));
  });
  try {
    return await Promise.race([terminal.question(question), left]);
  } finally {
    terminal.close();
    left.catch(() => {});
  }
};

const stopped = (): TieoutError =>
  new TieoutError({
    code: 'E_STOPPED',
    message: 'the questions were not answered to the end',
    nextStep: 'Nothing was written. Run the command again.',
  });
