import { changedPart } from '../../../kernel/parts.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { workParts } from '../../configuration/parts.ts';
import { type Closing, closingOf, isStanding } from '../../periods/closing.ts';
import { workspaceParts } from '../../periods/closing-parts.ts';
import type { ClosePorts } from '../close-ports.ts';
import { periodFolder } from '../period-folder.ts';

/** What decides which files a month has: its figures, the month before from which some are carried on, and who works on them. */
const DEPENDS_ON = ['program', 'service', 'configuration', 'before', 'figures'] as const;

/** The last close of a period, when it would write the same files again, and these stand where they belong; else `undefined`. */
export const currentClosing = async (
  ports: ClosePorts,
  period: FilingPeriod,
): Promise<Closing | undefined> => {
  const closing = await closingOf(ports.workspace, period.label);
  if (!closing || ports.recompute) return undefined;
  const now = { ...workParts(ports), ...workspaceParts(ports.workspace, period) };
  const isCurrent = (await changedPart(closing.parts, now, DEPENDS_ON)) === undefined;
  return isCurrent && (await isStanding(closing, periodFolder(ports, period))) ? closing : undefined;
};
