import type { SetAside } from '../../../sales/sale.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import type { LoadedFile } from './load-file.ts';

/**
 * The last row of a file that is cut off in its middle has too few cells, as its own reader says. That the file is cut off
 * is what a person needs to know of it: the record says so in the words in which its file does.
 */
export const tellCutRows = async (load: OpenLoad, files: readonly LoadedFile[]): Promise<void> => {
  const { workspace, channel } = load;
  for (const { read, last } of files) {
    const notice = read.notices.find(({ code }) => code === 'cut-off');
    if (!notice || last?.cutOff?.code !== 'cell-count') continue;
    const rows = await workspace.tables
      .selectFrom('set_aside')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where('channel', '=', channel.name)
      .where('file', '=', read.file.name)
      .where('outcome', '=', 'rejected')
      .where('code', '=', 'cell-count')
      .where('gone', '=', 0)
      .orderBy('line', 'desc')
      .limit(1)
      .execute();
    const cut = rows.flatMap((row) => {
      const aside = JSON.parse(row.body) as SetAside;
      if (aside.rows.at(-1)?.line !== last.line) return [];
      const reason = { ...aside.reason, message: notice.message };
      return [{ ...row, body: JSON.stringify({ ...aside, reason }) }];
    });
    await workspace.upsert('set_aside', cut);
  }
};
