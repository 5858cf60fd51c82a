import { designedError } from './disk-failure.ts';
import type { Recovery } from './errors.ts';

/** What a run tells the shell. Scripts rely on these numbers; they never change their meaning. */
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
  BY_RECOVERY[designedError(error)?.recovery ?? 'defect'];

/**
 * From the worst to the best, when one command does several things: first what is wrong in itself and needs a person
 * (the program, the configuration, the input), then what another run may mend, then what is done but open.
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

/** The one exit code of several things that were done. */
export const worstOf = (codes: readonly ExitCode[]): ExitCode =>
  WORST_FIRST.find((code) => codes.includes(code)) ?? ExitCode.clean;
