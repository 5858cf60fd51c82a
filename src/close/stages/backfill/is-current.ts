import type { FilingPeriod } from '../../../kernel/period.ts';
import { configurationDigest } from '../../configuration/configuration-digest.ts';
import { readManifest } from '../../evidence/verify-files.ts';
import { presentBasis } from '../../periods/basis-digest.ts';
import { type Closing, closingBefore, closingOf, isStanding } from '../../periods/closing.ts';
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
  if (!(await isStanding(closing)) || !(await isBuiltOnPresent(ports, closing))) return undefined;
  return closing;
};

/** Whether the period before is still as it was when this one was closed: its figures are carried on from there. */
const isBuiltOnPresent = async ({ workspace }: ClosePorts, { folder, period }: Closing): Promise<boolean> => {
  const before = await closingBefore(workspace, period);
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') return false;
  return manifest.content.previous?.contentDigest === before?.report.signOff.contentDigest;
};
