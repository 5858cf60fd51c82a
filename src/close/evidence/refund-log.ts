import { join } from 'node:path';
import { batches } from '../../runtime/batches.ts';
import type { RefundLink } from '../reconcile/refund-link.ts';
import type { CountedPages } from '../workbook/sheet.ts';
import { readLog } from './log-file.ts';
import { logPath } from './logged.ts';
import type { LogFile } from './manifest.ts';

const REFUNDS_PER_PAGE = 256;

/** Returns the refunds of a period as its log has them. @param logs The logs of the folder */
export const loggedRefunds = (folder: string, logs: readonly LogFile[]): CountedPages<RefundLink> => {
  const path = logPath('refunds');
  return {
    count: logs.find((log) => log.path === path)?.records ?? 0,
    pages: batches(readLog(join(folder, path)) as AsyncIterable<RefundLink>, REFUNDS_PER_PAGE),
  };
};
