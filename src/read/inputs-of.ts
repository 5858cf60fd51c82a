import type { InputFile } from '../close/figures/period-report.ts';
import {
  controlledColumns,
  type FileControls,
  OUTCOMES,
  wasRead,
} from '../close/reconcile/input-exceptions.ts';
import type { SaleFinding } from '../close/sales/sale.ts';
import type { SourceFileRow } from './read-file.ts';

/** Returns the files of these rows, which stand in order of channel and path. */
export const inputsFrom = (rows: readonly SourceFileRow[]): readonly InputFile[] => {
  const read = rows.filter(wasRead);
  const unread = rows.filter((row) => !wasRead(row));
  // A table that every channel has left out stands among the others: what is said of it is added there, once.
  const firsts = new Map(read.toReversed().map((row) => [row.path, row]));
  const noticesOf = (row: SourceFileRow): SaleFinding[] =>
    [row, ...unread.filter(({ path }) => path === row.path && firsts.get(path) === row)].flatMap(
      ({ notices }) => JSON.parse(notices) as SaleFinding[],
    );
  return [...read, ...unread.filter(({ path }) => !firsts.has(path))].map((row) => {
    const { header, controls: text, notices: _, ...file } = row;
    const controls = JSON.parse(text) as FileControls;
    const records = OUTCOMES.map((outcome) => [outcome, controls.outcomes[outcome].records]);
    return {
      ...file,
      records: Object.fromEntries(records) as InputFile['records'],
      columns: controlledColumns(controls),
      notices: noticesOf(row),
    };
  });
};
