import { zoneCalendar } from '../../../kernel/calendar.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { configurationParts } from '../../configuration/parts.ts';
import { type LockRequest, type LockResult, lockPeriod } from '../../periods/lock-period.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { periodFolder } from '../run/period-folder.ts';

/** The ports that a lock needs. It does not use the tax service. */
export type LockPorts = Pick<ClosePorts, 'workspace' | 'configuration' | 'output' | 'clock'> &
  Pick<LockRequest, 'beforeUnsigned'>;

/**
 * Lock a closed period with the present configuration.
 *
 * @throws {TieoutError} E_PERIOD_NOT_CLOSED, E_PERIOD_ELSEWHERE, E_PERIOD_STALE, E_PERIOD_UNFINISHED, E_PERIOD_OPEN,
 * E_PERIOD_OVERLAP, E_PERIOD_SHORTER_OPEN
 */
export const lockClosed = async (
  { workspace, configuration, output, clock, beforeUnsigned }: LockPorts,
  wish: Omit<LockRequest, 'folder' | 'configuration' | 'now' | 'calendar' | 'beforeUnsigned'>,
): Promise<StageResult<LockResult>> => {
  const locked = await lockPeriod(workspace, {
    ...wish,
    folder: periodFolder({ output, configuration }, wish),
    configuration: configurationParts(configuration).configuration,
    now: clock.now(),
    calendar: zoneCalendar(configuration.timeZone),
    ...(beforeUnsigned && { beforeUnsigned }),
  });
  return { value: locked, summary: `${locked.label} ${locked.isNew ? 'locked' : 'was locked already'}` };
};
