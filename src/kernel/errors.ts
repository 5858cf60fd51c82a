import { type ErrorCode, type Recovery, recoveryOf } from './error-codes.ts';

/**
 * An error that Tieout designed: a code, a message with the place and the rule, and the next step as its own
 * sentence. Anything else that is thrown is a defect.
 */
export class TieoutError extends Error {
  readonly code: ErrorCode;
  /** Determines the exit code. */
  readonly recovery: Recovery;
  /** The next step, as a sentence for the person who reads the message. */
  readonly nextStep: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(options: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly nextStep: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly cause?: unknown;
  }) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.recovery = recoveryOf(options.code);
    this.nextStep = options.nextStep;
    this.details = options.details ?? {};
  }
}

/** An impossible state: a fault of the program and not of its user. Only the outermost frame catches it. */
export class DefectError extends TieoutError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super({
      code: 'E_DEFECT',
      message,
      nextStep: 'This is a defect in Tieout: please report it with the command you ran.',
      details,
    });
  }
}
