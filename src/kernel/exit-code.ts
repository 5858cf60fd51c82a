import { designedError } from './disk-failure.ts';
import type { Recovery } from './error-codes.ts';

/** The exit codes of a run. Scripts rely on these numbers, so their meaning never changes. */
export const ExitCode = {
  /** Closed, and the policy allows everything that is open. */
  clean: 0,
  /** Closed, but the policy does not allow what is open. */
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

/** Return the exit code of an error: its recovery decides, and an error that was not designed is a defect. */
export const exitCodeOf = (error: unknown): ExitCode =>
  BY_RECOVERY[designedError(error)?.recovery ?? 'defect'];

/**
 * The order of severity when one command does several things: first problems that need a person (the program, the
 * configuration, the input), then those that another run may solve, then what is done but open.
 */
const WORST_FIRST: readonly ExitCode[] = [
  ExitCode.defect,
  ExitCode.usage,
  ExitCode.configuration,
  ExitCode.badInput,
  ExitCode.unavailable,
  ExitCode.locked,
  ExitCode.open,
];

/** Return the single exit code for several results. */
export const worstOf = (codes: readonly ExitCode[]): ExitCode =>
  WORST_FIRST.find((code) => codes.includes(code)) ?? ExitCode.clean;
