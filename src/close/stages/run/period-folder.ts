import { join } from 'node:path';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { ClosePorts } from './close-ports.ts';

/** The folder in which the workbooks and the evidence of a period appear. */
export const periodFolder = (
  { output, configuration }: Pick<ClosePorts, 'output' | 'configuration'>,
  period: Pick<FilingPeriod, 'label'>,
): string => join(output, configuration.entity, period.label);
