import type { FilingPeriod } from '../../../kernel/period.ts';
import { configurationDigest } from '../../configuration/configuration-digest.ts';
import { presentBasis } from '../../periods/basis-digest.ts';
import { type Closing, closingOf, isStanding } from '../../periods/closing.ts';
import type { ClosePorts } from '../close-ports.ts';
import { periodFolder } from '../period-folder.ts';

/**
 * The last close of a period, when the same program, service, configuration and sales would write the same files, and
 * these stand where they belong; else `undefined`.
 */
export const currentClosing = async (
  ports: ClosePorts,
  period: FilingPeriod,
): Promise<Closing | undefined> => {
  const closing = await closingOf(ports.workspace, period.label);
  if (!closing || ports.recompute) return undefined;
  const isSame =
    closing.folder === periodFolder(ports, period) &&
    closing.program === ports.programDigest &&
    closing.service === ports.serviceId &&
    closing.configuration === configurationDigest(ports.configuration);
  if (!isSame || closing.basis !== (await presentBasis(ports.workspace, period))) return undefined;
  return (await isStanding(closing)) ? closing : undefined;
};
