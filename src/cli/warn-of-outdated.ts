import type { CommandIo } from './io.ts';

/** Maximum number of periods listed; `tieout status` has all of them. */
const SHOWN_MAX = 6;

/** Warns, even when only errors are printed, which other periods must be closed again. */
export const warnOfOutdated = (
  io: Pick<CommandIo, 'warn'>,
  outdated: readonly string[],
  entity?: string,
): void => {
  if (outdated.length === 0) return;
  const shown = outdated.slice(0, SHOWN_MAX).join(', ');
  const more = outdated.length - SHOWN_MAX;
  const labels = more > 0 ? `${shown} and ${more} more` : shown;
  const [are, them] = outdated.length === 1 ? ['is', 'it'] : ['are', 'them'];
  io.warn(
    `${entity === undefined ? '' : `${entity}: `}${labels} ${are} out of date: what the exports say of ${them} has changed since. Close ${them} again.\n`,
  );
};
