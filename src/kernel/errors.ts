/**
 * The next step for the operator. Every error has one, and it determines the exit code: usage 2, fix-input 65, retry
 * 69, defect 70, wait 75, fix-config 78.
 */
export type Recovery = 'usage' | 'fix-input' | 'retry' | 'defect' | 'wait' | 'fix-config';

/**
 * An error that Tieout designed: a code, a message with the place and the rule, and the next step as its own
 * sentence. Anything else that is thrown is a defect.
 */
export class TieoutError extends Error {
  readonly code: `E_${string}`;
  readonly recovery: Recovery;
  /** The next step, as a sentence for the person who reads the message. */
  readonly nextStep: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(options: {
    readonly code: `E_${string}`;
    readonly recovery: Recovery;
    readonly message: string;
    readonly nextStep: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly cause?: unknown;
  }) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.recovery = options.recovery;
    this.nextStep = options.nextStep;
    this.details = options.details ?? {};
  }
}

/** An impossible state: a fault of the program and not of its user. Only the outermost frame catches it. */
export class DefectError extends TieoutError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super({
      code: 'E_DEFECT',
      recovery: 'defect',
      message,
      nextStep: 'This is a defect in Tieout: please report it with the command you ran.',
      details,
    });
  }
}
