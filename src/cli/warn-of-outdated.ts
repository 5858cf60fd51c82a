import { type OutdatedCause, outdatedText } from '../close/periods/outdated-closings.ts';
import type { OutdatedPeriod } from '../close/stages/run/record-run.ts';
import type { CommandIo } from './io.ts';

/** Maximum number of periods listed; `tieout status` has all of them. */
const SHOWN_MAX = 6;

const CAUSES = ['exports', 'takenOver'] as const satisfies readonly OutdatedCause[];

/** Warns, even when only errors are printed, which other periods must be closed again. */
export const warnOfOutdated = (
  io: Pick<CommandIo, 'warn'>,
  outdated: readonly OutdatedPeriod[],
  entity?: string,
): void => {
  for (const cause of CAUSES) {
    const labels = outdated.filter((period) => period.cause === cause).map(({ label }) => label);
    if (labels.length > 0) io.warn(`${entity === undefined ? '' : `${entity}: `}${warning(labels, cause)}\n`);
  }
};

const warning = (labels: readonly string[], cause: OutdatedCause): string => {
  const shown = labels.slice(0, SHOWN_MAX).join(', ');
  const more = labels.length - SHOWN_MAX;
  const listed = more > 0 ? `${shown} and ${more} more` : shown;
  const [are, them] = labels.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const order = cause === 'takenOver' && labels.length > 1 ? ', oldest first' : '';
  return `${listed} ${are} out of date: ${outdatedText(cause, them)} since. Close ${them} again${order}.`;
};
