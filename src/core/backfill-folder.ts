import { dirname, join } from 'node:path';
import { TieoutError } from '../kernel/errors.ts';
import { type FilingPeriod, monthsOf } from '../kernel/period.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { periodFolder } from '../run/period-folder.ts';

/**
 * Returns the folder of a backfill of a range, beside those of the periods and with a name that no period has.
 *
 * @throws {TieoutError} E_BACKFILL_RANGE
 */
export const backfillFolder = (ports: ClosePorts, range: FilingPeriod): string => {
  const { label } = range;
  if (monthsOf(range).length > 1) return join(dirname(periodFolder(ports, range)), `backfill-${label}`);
  throw new TieoutError({
    code: 'E_BACKFILL_RANGE',
    message: `${label} is one month`,
    nextStep: `Use \`tieout close ${label}\``,
  });
};
