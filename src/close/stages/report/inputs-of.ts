import type { InputFile } from '../../figures/period-report.ts';
import { controlledColumns, type FileControls, OUTCOMES } from '../../reconcile/control-totals.ts';
import { wasRead } from '../../reconcile/input-exceptions.ts';
import type { SaleFinding } from '../../sales/sale.ts';
import type { EarlierRows } from '../../workspace/earlier-readings.ts';
import { sourceFilesOf } from '../../workspace/source-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * Returns the files that the sales of the workspace were read from, as the report shows them.
 *
 * @param earlierRows rows of the period that still count as an earlier load read them, by channel and path
 */
export const inputsOf = async (
  workspace: Workspace,
  earlierRows: ReadonlyMap<string, EarlierRows>,
): Promise<readonly InputFile[]> => {
  const rows = await sourceFilesOf(workspace);
  return [...rows.filter(wasRead), ...rows.filter((row) => !wasRead(row))].map(
    ({ entity, header, controls: text, notices, ...file }) => {
      const controls = JSON.parse(text) as FileControls;
      const records = OUTCOMES.map((outcome) => [outcome, controls.outcomes[outcome].records]);
      const earlier = earlierRows.get(`${file.channel}/${file.path}`);
      return {
        ...file,
        ...(earlier && earlier.gone > 0 && { earlier: earlier.gone }),
        ...(earlier && earlier.twice > 0 && { twice: earlier.twice }),
        records: Object.fromEntries(records) as InputFile['records'],
        columns: controlledColumns(controls),
        notices: JSON.parse(notices) as SaleFinding[],
      };
    },
  );
};
