import { controlledColumns, type FileControls, OUTCOMES } from '../../reconcile/control-totals.ts';
import type { InputFile } from '../../report/period-report.ts';
import type { Remark } from '../../sales/sale.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The files that the sales of the workspace were read from, by channel and name. */
export const inputsOf = async (workspace: Workspace): Promise<readonly InputFile[]> => {
  const rows = await workspace.tables
    .selectFrom('source_file')
    .selectAll()
    .where('entity', '=', workspace.entity)
    .orderBy('channel')
    .orderBy('path')
    .execute();
  return rows.map(({ entity, header, controls: text, notices, ...file }) => {
    const controls = JSON.parse(text) as FileControls;
    const records = OUTCOMES.map((outcome) => [outcome, controls.outcomes[outcome].records]);
    return {
      ...file,
      records: Object.fromEntries(records) as InputFile['records'],
      columns: controlledColumns(controls),
      notices: JSON.parse(notices) as Remark[],
    };
  });
};
