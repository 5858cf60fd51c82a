import { pagesOf } from '../../../database/pages.ts';
import { addDays, startOfUtcDay } from '../../../kernel/calendar.ts';
import { BATCH_ROWS, type WorkspaceQueries } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';
import type { ListedWindow } from './listed-windows.ts';
import type { RecordName } from './record-name.ts';

type Space = Pick<RecordName, 'provider' | 'kind'>;

const recordedIds = ({ workspace, serviceName }: ClosePorts, { provider, kind }: Space) =>
  workspace.tables
    .selectFrom('recorded')
    .select('id')
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('provider', '=', provider)
    .where('kind', '=', kind);

const forget = (
  { workspace, serviceName }: ClosePorts,
  { provider, kind }: Space,
  ids: readonly string[],
  tables = workspace.tables,
) =>
  tables
    .deleteFrom('recorded')
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('provider', '=', provider)
    .where('kind', '=', kind)
    .where('id', 'in', ids);

/**
 * Drop what was once read of the days of a window and is not listed there any more. Records of other windows are read
 * and kept meanwhile, so one that has another day by now stays.
 */
export const forgetGone = async (ports: ClosePorts, window: ListedWindow): Promise<void> => {
  const [start, end] = [startOfUtcDay(window.first), startOfUtcDay(addDays(window.last, 1))];
  const pages = pagesOf<{ readonly id: string }>(BATCH_ROWS, (after, rowsMax) =>
    recordedIds(ports, window)
      .where('instant', '>=', start)
      .where('instant', '<', end)
      .$if(after !== undefined, (query) => query.where('id', '>', after?.id ?? ''))
      .orderBy('id')
      .limit(rowsMax)
      .execute(),
  );
  for await (const page of pages) {
    const gone = page.map(({ id }) => id).filter((id) => !window.ids.has(id));
    if (gone.length > 0)
      await forget(ports, window, gone).where('instant', '>=', start).where('instant', '<', end).execute();
  }
};

/** Drop one record that is not there any more. */
export const forgetOne = async (
  ports: ClosePorts,
  { id, ...space }: RecordName,
  tables?: WorkspaceQueries,
): Promise<void> => {
  await forget(ports, space, [id], tables).execute();
};
