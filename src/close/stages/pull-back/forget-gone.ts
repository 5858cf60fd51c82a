import { pagesOf } from '../../../database/pages.ts';
import { addDays, startOfUtcDay } from '../../../kernel/calendar.ts';
import { BATCH_ROWS, type WorkspaceQueries } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';
import type { ListedWindow } from './listed-windows.ts';
import type { RecordName } from './show-record.ts';

type Space = Pick<RecordName, 'provider' | 'kind'>;

const recordedIds = ({ workspace, serviceName }: ClosePorts, { provider, kind }: Space) =>
  workspace.tables
    .selectFrom('recorded')
    .select('id')
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('provider', '=', provider)
    .where('kind', '=', kind);

const forget = async (
  { workspace, serviceName }: ClosePorts,
  { provider, kind }: Space,
  ids: readonly string[],
  tables = workspace.tables,
): Promise<void> => {
  await tables
    .deleteFrom('recorded')
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('provider', '=', provider)
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .execute();
};

/** Drop what was once read of the days of a window and is not listed there any more. */
export const forgetGone = async (ports: ClosePorts, window: ListedWindow): Promise<void> => {
  const pages = pagesOf<{ readonly id: string }>(BATCH_ROWS, (after, rowsMax) =>
    recordedIds(ports, window)
      .where('instant', '>=', startOfUtcDay(window.first))
      .where('instant', '<', startOfUtcDay(addDays(window.last, 1)))
      .$if(after !== undefined, (query) => query.where('id', '>', after?.id ?? ''))
      .orderBy('id')
      .limit(rowsMax)
      .execute(),
  );
  for await (const page of pages) {
    const gone = page.map(({ id }) => id).filter((id) => !window.ids.has(id));
    if (gone.length > 0) await forget(ports, window, gone);
  }
};

/** Drop one record that is not there any more. */
export const forgetOne = (
  ports: ClosePorts,
  { id, ...space }: RecordName,
  tables?: WorkspaceQueries,
): Promise<void> => forget(ports, space, [id], tables);
