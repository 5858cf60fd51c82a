import type { Instant } from '../../kernel/calendar.ts';
import type { TableRow } from './files/table-row.ts';
import { type DateZones, dateReader } from './normal/read-date.ts';
import type { SalesProfile } from './profile.ts';
import { isProblem } from './read-amount.ts';
import { ifStated, type RowReader } from './row-reader.ts';

/** What the first row of a record says of which record it is and of how new its statement is. */
export type Stated = {
  /** When the record was created; `undefined` where that cannot be read. */
  readonly at: Instant | undefined;
  /** The id that no other shop has; empty where the row has none. */
  readonly uniqueId: string;
  readonly updated: Instant | undefined;
  /** How far it has come by each status column of the profile; `undefined` for a status that is not on the list. */
  readonly steps: readonly (number | undefined)[];
};

/** Compile a reader of what tells records of one number, and two statements of one record, apart. */
export const statementReader = (
  { locale, map, statuses }: SalesProfile,
  cells: RowReader,
  zones: DateZones,
): ((row: TableRow) => Stated) => {
  const momentOf = (rule: SalesProfile['locale']['date']) => {
    const read = dateReader(rule, cells, zones);
    return (row: TableRow): Instant | undefined => {
      const date = read(row);
      return isProblem(date) ? undefined : date.at;
    };
  };
  const createdAt = momentOf(locale.date);
  const updatedAt = locale.updated && momentOf(locale.updated);
  const uniqueIdOf = ifStated(map.uniqueId, cells.text);
  const stepOf = statuses.map(({ column, order }) => {
    const steps = order.map((step) => step.map((status) => status.toLowerCase()));
    const text = cells.text(column);
    return (row: TableRow): number | undefined => {
      const status = text(row).toLowerCase();
      const step = steps.findIndex((texts) => texts.includes(status));
      return step === -1 ? undefined : step;
    };
  });
  return (row) => ({
    at: createdAt(row),
    uniqueId: uniqueIdOf?.(row) ?? '',
    updated: updatedAt?.(row),
    steps: stepOf.map((step) => step(row)),
  });
};
