import { DefectError } from '../../../../kernel/errors.ts';
import { type FileControls, OUTCOMES, type RecordOutcome } from '../../../reconcile/control-totals.ts';
import { saleOutcomes } from '../../../workspace/load-sales.ts';
import { outcomeOf } from '../../../workspace/sale-rows.ts';
import { asideOutcomes } from '../../../workspace/set-asides.ts';
import type { OpenLoad } from './channel-load.ts';
import { addControlsText, type FiguresDraft, noFigures } from './figures.ts';
import type { ReadFile } from './read-file.ts';

export type OutcomeFigures = FileControls['outcomes'];

type OutcomeDrafts = Record<RecordOutcome, FiguresDraft & { records: number }>;

export const noOutcomes = (columns: number): OutcomeDrafts =>
  Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, { records: 0, ...noFigures(columns) }]),
  ) as OutcomeDrafts;

/**
 * Returns the outcomes of each file's records, added up from what the workspace contains. This is checked against the
 * counts made when the file was read: a record that was lost shows as missing here, and one that was stored twice as
 * surplus.
 */
export const accountForFiles = async (
  load: OpenLoad,
  files: readonly ReadFile[],
): Promise<ReadonlyMap<string, OutcomeFigures>> => {
  const names = files.map(({ file }) => file.name);
  const found = new Map(files.map(({ file, columns }) => [file.name, noOutcomes(columns.length)]));
  const add = (file: string, outcome: RecordOutcome, controls: string): void => {
    const outcomes = found.get(file);
    if (!outcomes) throw new DefectError(`a record of ${file} is stored, and the file is not known`);
    outcomes[outcome].records += 1;
    addControlsText(outcomes[outcome], controls, file);
  };
  for await (const page of saleOutcomes(load))
    for (const row of page) add(names[row.file] ?? '', outcomeOf(row), row.controls);
  for await (const page of asideOutcomes(load, names))
    for (const { file, outcome, controls } of page) add(file, outcome as RecordOutcome, controls);
  return found;
};
