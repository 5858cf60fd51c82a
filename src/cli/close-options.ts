import type { CloseOptions } from '../close-options.ts';
import { parseVersion } from '../kernel/amended-version.ts';
import { TieoutError } from '../kernel/errors.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { type Progress, plainProgress, silentProgress, terminalProgress } from '../runtime/progress.ts';
import type { CloseCommandOptions } from './close.ts';
import type { CommandIo } from './io.ts';

/** What building a close takes from the command line. */
export const portOptions = ({
  output,
  content,
  recompute,
  maxCalculations,
  workers,
  lostAfter,
  patience,
  batchItems,
}: CloseCommandOptions): CloseOptions => ({
  output,
  content,
  recompute: recompute === true,
  maxCalculations,
  workers:
    workers === undefined
      ? undefined
      : {
          lostAfterSeconds: lostAfter ?? LOST_AFTER_SECONDS,
          patienceSeconds: patience ?? PATIENCE_SECONDS,
          itemsPerBatch: batchItems ?? ITEMS_PER_BATCH,
        },
});

/**
 * Some seconds of work, so that handing it out costs little, and few enough that several workers end at about the same
 * time and a killed one leaves little behind.
 */
const ITEMS_PER_BATCH = 500;

const LOST_AFTER_SECONDS = 15;
const PATIENCE_SECONDS = 300;

/** How a run is watched: in place on a terminal, line by line elsewhere, not at all when only the result is wanted. */
export const progressOf = (
  io: CommandIo,
  { json, quiet }: Pick<CloseCommandOptions, 'json' | 'quiet'>,
): Progress => {
  if (json || quiet) return silentProgress;
  return io.isTerminal ? terminalProgress(io.warn) : plainProgress(io.print);
};

/** A period, or an amended version of one, `2026-10-amended-1`. @throws {TieoutError} E_PERIOD */
export const periodOf = (text: string): FilingPeriod => {
  const period = parseVersion(text);
  if (!period) throw unknownPeriod(text);
  return period;
};

export const unknownPeriod = (text: string): TieoutError =>
  new TieoutError({
    code: 'E_PERIOD',
    recovery: 'usage',
    message: `"${text}" is no filing period`,
    nextStep:
      'Write a month as 2026-10, a quarter as 2026-Q4, a half as 2026-H2, a year as 2026, or a range as 2026-10..2026-12.',
  });
