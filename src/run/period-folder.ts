import { join } from 'node:path';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from './close-ports.ts';

/** Returns the folder for the workbooks and the evidence of a period. */
export const periodFolder = (
  { output, configuration }: Pick<ClosePorts, 'output' | 'configuration'>,
  period: Pick<FilingPeriod, 'label'>,
): string => join(output, configuration.entity, period.label);
