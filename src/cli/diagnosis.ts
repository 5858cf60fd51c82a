import { designedError } from '../kernel/disk-failure.ts';
import type { TieoutError } from '../kernel/errors.ts';
import { ExitCode, exitCodeOf } from '../kernel/exit-code.ts';

/** What was looked at, and how it is; the next step only where it is not well. */
export type Diagnosis = {
  readonly what: string;
  readonly exitCode: ExitCode;
  readonly said: string;
  readonly nextStep?: string;
  /** A close can do without it, and its figures may be the worse for it. */
  readonly isWarning?: true;
};

export const well = (what: string, said: string): Diagnosis => ({ what, exitCode: ExitCode.clean, said });

export const ill = (what: string, said: string, nextStep: string, exitCode: ExitCode): Diagnosis => ({
  what,
  exitCode,
  said,
  nextStep,
});

export const doubtful = (what: string, said: string): Diagnosis => ({ ...well(what, said), isWarning: true });

/** What an error says is a diagnosis. */
export const illOf = (what: string, error: TieoutError): Diagnosis =>
  ill(what, `${error.code}: ${error.message.replace(/\.$/, '')}`, error.nextStep, exitCodeOf(error));

/** Look at something; a designed error is what is found, and a defect stays one. */
export const examined = async (
  what: string,
  look: () => Promise<readonly Diagnosis[]>,
): Promise<readonly Diagnosis[]> => {
  try {
    return await look();
  } catch (error) {
    const designed = designedError(error);
    if (!designed || designed.recovery === 'defect') throw error;
    return [illOf(what, designed)];
  }
};
