import { compareClosings } from '../periods/outdated-closings.ts';
import { cutOffRun } from '../workspace/runs.ts';
import type { ClosePorts } from './close-ports.ts';
import { noteOutdated, removeNote } from './out-of-date-note.ts';

/**
 * Closed periods of which the exports say something else by now, by their labels: a note beside the folder of each
 * says so, and goes when the exports say again what they said.
 */
export const outdatedPeriods = async ({ workspace }: ClosePorts): Promise<readonly string[]> => {
  const outdated: string[] = [];
  for (const { label, folder, isOutdated } of await compareClosings(workspace)) {
    if (isOutdated) {
      await noteOutdated(folder, label);
      outdated.push(label);
    } else if (!(await cutOffRun(workspace, label))) await removeNote(folder);
  }
  return outdated;
};
