import type { SetAside } from '../../../sales/sale.ts';
import { keepSetAsides, lastMiscounted } from '../../../workspace/set-asides.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import type { LoadedFile } from './load-file.ts';

/**
 * If a file is cut off in the middle of its last row, that row is rejected for having too few cells. A person needs to
 * know that the file is cut off, so the record gets the message of the file's notice.
 */
export const tellCutRows = async (load: OpenLoad, files: readonly LoadedFile[]): Promise<void> => {
  for (const { read, last } of files) {
    const notice = read.notices.find(({ code }) => code === 'cut-off');
    if (!notice || last?.cutOff?.code !== 'cell-count') continue;
    const row = await lastMiscounted(load, read.file.name);
    const aside = row && (JSON.parse(row.body) as SetAside);
    if (!row || aside?.rows.at(-1)?.line !== last.line) continue;
    const reason = { ...aside.reason, message: notice.message };
    await keepSetAsides(load.workspace, [{ ...row, body: JSON.stringify({ ...aside, reason }) }]);
  }
};
