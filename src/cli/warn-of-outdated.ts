import type { OutdatedPeriod } from '../periods/outdated.ts';
import { outdatedText } from '../run/out-of-date-note.ts';
import type { CommandIo } from './io.ts';

/** Maximum number of periods listed; `tieout status` has all of them. */
const SHOWN_MAX = 6;

/** Warns, even when only errors are printed, which other periods must be closed again. */
export const warnOfOutdated = (
  io: Pick<CommandIo, 'warn'>,
  outdated: readonly OutdatedPeriod[],
  entity?: string,
): void => {
  for (const [before, own] of Map.groupBy(outdated, (period) => period.before)) {
    const labels = own.map(({ label }) => label);
    io.warn(`${entity === undefined ? '' : `${entity}: `}${warning(labels, before)}\n`);
  }
};

const warning = (labels: readonly string[], before: string): string => {
  const shown = labels.slice(0, SHOWN_MAX).join(', ');
  const more = labels.length - SHOWN_MAX;
  const listed = more > 0 ? `${shown} and ${more} more` : shown;
  const [are, build, them] =
    labels.length === 1 ? (['is', 'it builds', 'it'] as const) : (['are', 'they build', 'them'] as const);
  return `${listed} ${are} out of date: ${outdatedText(before, build)}. Close ${them} again.`;
};
