import { TieoutError } from '../../kernel/errors.ts';

const RESTORE = 'Restore the content folder from its history, or import the official file again.';

/** The parts of an error about a place in a table or file. */
const at = (place: string, problem: string, cause: unknown) => ({
  message: `${place}: ${problem}`,
  details: { place },
  ...(cause === undefined ? {} : { cause }),
});

/** The content folder cannot be used as it is: a table is missing, damaged or contradicts itself. */
export class ContentDamagedError extends TieoutError {
  constructor(place: string, problem: string, cause?: unknown, nextStep = RESTORE) {
    super({ code: 'E_CONTENT_DAMAGED', nextStep, ...at(place, problem, cause) });
  }
}

const DOWNLOAD = 'Nothing was changed. Download the file again from its publisher, and compare the two.';

/** A file offered for import was refused: unknown layout, truncated, wrong period or overlapping dates. */
export class ContentRefusedError extends TieoutError {
  constructor(place: string, problem: string, cause?: unknown, nextStep = DOWNLOAD) {
    super({ code: 'E_CONTENT_REFUSED', nextStep, ...at(place, problem, cause) });
  }
}
