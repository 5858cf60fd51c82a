import { afterKey } from '../../../../database/after-key.ts';
import { pagesOf } from '../../../../database/pages.ts';
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

type SaleOutcome = {
  readonly key: string;
  readonly file: number;
  readonly outcome: string;
  readonly controls: string;
};

const saleOutcomes = ({ workspace, channel, number }: OpenLoad) =>
  pagesOf<SaleOutcome>(PAGE_ROWS, (after, rowsMax) =>
    workspace.tables
      .selectFrom('sale')
      .select(['key', 'file', 'outcome', 'controls'])
      .where('entity', '=', workspace.entity)
      .where(isOf(channel.name))
      .where('load', '=', number)
      .where('file', 'is not', null)
      .$narrowType<{ file: number }>()
      .$if(after !== undefined, (query) => query.where(afterKey({ key: after?.key ?? '' })))
      .orderBy('key')
      .limit(rowsMax)
      .execute(),
  );

type StoredAside = {
  readonly file: string;
  readonly line: number;
  readonly outcome: string;
  readonly controls: string;
};

const asideOutcomes = ({ workspace, channel }: OpenLoad, files: readonly ReadFile[]) =>
  pagesOf<StoredAside>(PAGE_ROWS, (after, rowsMax) =>
    workspace.tables
      .selectFrom('set_aside')
      .select(['file', 'line', 'outcome', 'controls'])
      .where('entity', '=', workspace.entity)
      .where('channel', '=', channel.name)
      .where(
        'file',
        'in',
        files.map(({ file }) => file.name),
      )
      .where(afterKey({ file: after?.file ?? '', line: after?.line ?? 0 }))
      .orderBy('file')
      .orderBy('line')
      .limit(rowsMax)
      .execute(),
  );
