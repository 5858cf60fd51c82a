import { type Recovery, TieoutError } from '../kernel/errors.ts';

/** What a run tells the shell. Scripts lean on these numbers; they never change their meaning. */
export const ExitCode = {
  /** Closed, and nothing the policy forbids is open. */
  clean: 0,
  /** Closed, but the policy forbids what is open. */
  open: 1,
  usage: 2,
  badInput: 65,
  unavailable: 69,
  defect: 70,
  locked: 75,
  configuration: 78,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

const BY_RECOVERY: Readonly<Record<Recovery, ExitCode>> = {
  usage: ExitCode.usage,
  'fix-input': ExitCode.badInput,
  retry: ExitCode.unavailable,
  defect: ExitCode.defect,
  wait: ExitCode.locked,
  'fix-config': ExitCode.configuration,
};

/** The exit code of an error: what to do next decides it, and whatever was not designed is a defect. */
export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof TieoutError ? BY_RECOVERY[error.recovery] : ExitCode.defect;
