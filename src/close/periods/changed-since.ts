import { configurationDigest } from '../configuration/configuration-digest.ts';
import type { ClosedWith, Closing } from './closing.ts';

/** What a period was closed with that is another now, in words; empty when nothing is. */
export const changedSince = (
  closing: Closing,
  { configuration, programDigest, serviceId }: ClosedWith,
): string => {
  const changed: string[] = [];
  if (closing.configuration !== configurationDigest(configuration))
    changed.push('the configuration is another');
  if (closing.service !== serviceId)
    changed.push(`it was closed with ${closing.service}, and this is ${serviceId}`);
  else if (closing.program !== programDigest) changed.push('the program is another');
  return changed.join('; ');
};
