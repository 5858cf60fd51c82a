import { join } from 'node:path';
import { TieoutError } from '../../../kernel/errors.ts';
import { type FilingPeriod, monthsOf } from '../../../kernel/period.ts';
import { exists } from '../../../runtime/exists.ts';
import { MANIFEST_PATH } from '../../evidence/manifest.ts';
import type { ClosePorts } from '../close-ports.ts';
import { periodFolder } from '../period-folder.ts';

/**
 * The folder of a range as a backfill, which is not the folder of a period that was closed.
 *
 * @throws {TieoutError} E_BACKFILL_FOLDER
 */
export const backfillFolder = async (ports: ClosePorts, range: FilingPeriod): Promise<string> => {
  const { label } = range;
  const folder = periodFolder(ports, range);
  if (monthsOf(range).length === 1) throw taken(`${label} is one month`, `Use \`tieout close ${label}\``);
  const isClosed = await exists(join(folder, MANIFEST_PATH));
  if (!isClosed) return folder;
  throw taken(
    `${label} was closed as one period, and ${folder} is its folder`,
    'Write the range in another way, such as 2025-01..2025-12 for 2025',
  );
};

const taken = (message: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_BACKFILL_FOLDER', recovery: 'usage', message, nextStep });
