import type { ErrorCode } from '../../kernel/error-codes.ts';
import { TieoutError } from '../../kernel/errors.ts';

/** The error for a file that is unusable as a whole. Unusable rows are findings, not errors. */
export class ExportError extends TieoutError {
  constructor(
    code: Extract<ErrorCode, `E_EXPORT_${string}`>,
    file: string,
    rule: string,
    nextStep: string,
    cause?: unknown,
    details: object = {},
  ) {
    super({
      code,
      message: `${file}: ${rule}.`,
      nextStep,
      details: { file, ...details },
      cause,
    });
  }
}
