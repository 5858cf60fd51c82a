import { pagesBy } from '../../../../database/pages.ts';
import { DefectError } from '../../../../kernel/errors.ts';
import { type FileControls, OUTCOMES, type RecordOutcome } from '../../../reconcile/control-totals.ts';
import { isOf } from '../../../workspace/sale-key.ts';
import type { OpenLoad } from './channel-load.ts';
import { addControlsText, type FiguresDraft, noFigures } from './figures.ts';
import type { ReadFile } from './read-file.ts';

export type OutcomeFigures = FileControls['outcomes'];

/** Rows looked at together; they are short. */
const PAGE_ROWS = 5_000;

type OutcomeDrafts = Record<RecordOutcome, FiguresDraft & { records: number }>;

export const noOutcomes = (columns: number): OutcomeDrafts =>
  Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, { records: 0, ...noFigures(columns) }]),
  ) as OutcomeDrafts;

/**
 * What the records of each file became, added up from what the workspace holds of them: the other side of what was
 * counted when the file was read. A record that was lost on the way, or stored twice, is missing or too much here.
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
    for (const { file, outcome, controls } of page)
      add(names[file] ?? '', outcome as RecordOutcome, controls);
  for await (const page of asideOutcomes(load, files))
    for (const { file, outcome, controls } of page) add(file, outcome as RecordOutcome, controls);
  return found;
};

const saleOutcomes = ({ workspace, channel, number }: OpenLoad) =>
  pagesBy(
    workspace.tables
      .selectFrom('sale')
      .select(['key', 'file', 'outcome', 'controls'])
      .where('entity', '=', workspace.entity)
      .where(isOf(channel.name))
      .where('load', '=', number)
      .where('file', 'is not', null)
      .$narrowType<{ file: number }>(),
    ['key'],
    PAGE_ROWS,
  );

const asideOutcomes = ({ workspace, channel }: OpenLoad, files: readonly ReadFile[]) =>
  pagesBy(
    workspace.tables
      .selectFrom('set_aside')
      .select(['file', 'line', 'outcome', 'controls'])
      .where('entity', '=', workspace.entity)
      .where('channel', '=', channel.name)
      .where('gone', '=', 0)
      .where(
        'file',
        'in',
        files.map(({ file }) => file.name),
      ),
    ['file', 'line'],
    PAGE_ROWS,
  );
