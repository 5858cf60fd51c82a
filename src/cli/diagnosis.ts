import { designedError } from '../kernel/disk-failure.ts';
import type { TieoutError } from '../kernel/errors.ts';
import { ExitCode, exitCodeOf } from '../kernel/exit-code.ts';

/** The result of one examination; with a next step only if there is a problem. */
export type Diagnosis = {
  readonly what: string;
  readonly exitCode: ExitCode;
  readonly said: string;
  readonly nextStep?: string;
  /** A close works without it, but its figures may be less accurate. */
  readonly isWarning?: true;
};

export type Examination = () => Promise<readonly Diagnosis[]>;

export const well = (what: string, said: string): Diagnosis => ({ what, exitCode: ExitCode.clean, said });

export const ill = (what: string, said: string, nextStep: string, exitCode: ExitCode): Diagnosis => ({
  what,
  exitCode,
  said,
  nextStep,
});

export const doubtful = (what: string, said: string): Diagnosis => ({ ...well(what, said), isWarning: true });

/** Converts an error to a diagnosis. */
export const illOf = (what: string, error: TieoutError): Diagnosis =>
  ill(what, `${error.code}: ${error.message.replace(/\.$/, '')}`, error.nextStep, exitCodeOf(error));

/** Runs an examination. An error that `designedError` recognises becomes a diagnosis; a defect is thrown again. */
export const examined = async (what: string, look: Examination): Promise<readonly Diagnosis[]> => {
  try {
    return await look();
  } catch (error) {
    const designed = designedError(error);
    if (!designed || designed.recovery === 'defect') throw error;
    return [illOf(what, designed)];
  }
};
