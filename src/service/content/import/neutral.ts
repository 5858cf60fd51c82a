import { isOfficial, OPEN_END } from '../dated.ts';
import type { TaxContent } from '../tax-content.ts';
import { dayBefore } from './cell-values.ts';
import { ALL_COLUMNS, checkedRow, neutralRefusal } from './neutral-row.ts';
import type { OfficialFile } from './official-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { beginOf, codeKey, endOf, isOfState, leftOf, sharesArea } from './row-area.ts';
import type { TextRow } from './table-rows.ts';

/** Columns that a neutral file must have; the other columns of the table of local rates are optional. */
const NEEDED = ['state', 'level', 'name', 'rate', 'from', 'source', 'confidence'] as const;

export const isNeutral = (rows: readonly (readonly string[])[]): boolean => {
  const header = new Set(rows[0]);
  return NEEDED.every((column) => header.has(column));
};

/**
 * Read the neutral layout: a CSV with the columns of the table of local rates. A row replaces the same tax on its days and
 * in its area, and ends before a later row of the content where it has no end of its own.
 */
export const parseNeutral = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
  existing: readonly TextRow[],
): ParsedFile => {
  const given = rowsOf(file, rows, content);
  checkOverlaps(file, given);
  const known = Map.groupBy(existing, taxKey);
  const warnings: string[] = [];
  const ended = given.map((row) => endedBeforeNext(row, known.get(taxKey(row)) ?? [], warnings));
  checkNames(file, ended, existing);
  const values = ended.flatMap((row) => besideOfficial(row, known.get(taxKey(row)) ?? [], warnings));
  const byTax = Map.groupBy(values, taxKey);
  return {
    kind: 'neutral',
    state: [...new Set(values.map((row) => row['state'] ?? ''))].sort().join(' '),
    period: undefined,
    rows: values.length,
    stateRates: values.filter(isOfState),
    localRates: values.filter((row) => !isOfState(row)),
    replaces: (row) =>
      (byTax.get(taxKey(row)) ?? []).map((by) => ({
        from: beginOf(by),
        to: endOf(by),
        ...(!isOfState(by) && { by }),
      })),
    warnings,
  };
};

const rowsOf = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): readonly TextRow[] => {
  const header = rows[0] ?? [];
  const unknown = header.find((column) => !ALL_COLUMNS.includes(column));
  if (unknown !== undefined) throw neutralRefusal(file.name, `the column ${unknown} is not known`);
  return rows.slice(1).map((fields, index) => {
    const place = `${file.name}: row ${index + 2}`;
    if (fields.length !== header.length) {
      throw neutralRefusal(place, `the line has ${fields.length} cells, the header ${header.length}`);
    }
    const cells = ALL_COLUMNS.map((name) => [name, fields[header.indexOf(name)] ?? '']);
    return checkedRow(Object.fromEntries(cells), place, content);
  });
};

/** What rows of one tax share. */
const taxKey = (row: TextRow): string => (isOfState(row) ? codeKey(row) : `${codeKey(row)} ${row['name']}`);

const isInSameArea = (row: TextRow, other: TextRow): boolean => isOfState(row) || sharesArea(row, other);

const isOnSameDays = (row: TextRow, other: TextRow): boolean =>
  beginOf(row) <= endOf(other) && beginOf(other) <= endOf(row);

/**
 * End a row without a last day before the content's next rate of its tax, which is newer. A row without any day speaks
 * for all days.
 */
const endedBeforeNext = (row: TextRow, known: readonly TextRow[], warnings: string[]): TextRow => {
  if (endOf(row) !== OPEN_END || beginOf(row) === '') return row;
  const [next] = known
    .filter((other) => isInSameArea(other, row) && beginOf(other) > beginOf(row))
    .map(beginOf)
    .sort();
  if (next === undefined) return row;
  const to = dayBefore(next);
  warnings.push(
    `${row['name']}: the content has a rate from ${next}, so the row from ${row['from']} was taken for the days up to ${to}.`,
  );
  return { ...row, to };
};

/**
 * Take from a row the days and places for which the content has an official rate of its tax, unless the row is official,
 * too. A difference is told.
 */
const besideOfficial = (row: TextRow, known: readonly TextRow[], warnings: string[]): readonly TextRow[] => {
  if (isOfficial(row)) return [row];
  const official = known.filter(
    (other) => isOfficial(other) && isOnSameDays(row, other) && isInSameArea(other, row),
  );
  for (const other of official)
    if (Number(other['rate']) !== Number(row['rate']))
      warnings.push(
        `${row['name']}: the official rate ${other['rate']} of ${other['source']} stays, and the ${row['confidence']} rate ${row['rate']} was left out there.`,
      );
  return official.reduce(
    (left: readonly TextRow[], other) =>
      left.flatMap((part) => leftOf(part, { from: beginOf(other), to: endOf(other), by: other })),
    [row],
  );
};

const checkOverlaps = (file: OfficialFile, rows: readonly TextRow[]): void => {
  for (const group of Map.groupBy(rows, taxKey).values()) {
    const sorted = group.toSorted((left, right) => (beginOf(left) < beginOf(right) ? -1 : 1));
    for (const [index, row] of sorted.entries()) {
      const next = sorted.slice(index + 1).find((other) => isInSameArea(row, other));
      if (next === undefined || beginOf(next) > endOf(row)) continue;
      throw neutralRefusal(
        file.name,
        row['to'] === ''
          ? `${row['name']}: the row from ${row['from']} has no end, and another begins on ${next['from']}`
          : `${row['name']}: rows from ${row['from']} and ${next['from']} overlap`,
      );
    }
  }
};

/**
 * Refuse a row with the code of a tax that holds there under another name, unless it replaces one of its own name: it
 * would be added to what may be the same tax.
 */
const checkNames = (file: OfficialFile, rows: readonly TextRow[], existing: readonly TextRow[]): void => {
  const known = Map.groupBy(existing, codeKey);
  for (const row of rows) {
    const here = (known.get(codeKey(row)) ?? []).filter(
      (other) => isOnSameDays(row, other) && isInSameArea(other, row),
    );
    const [other] = here;
    if (other === undefined || here.some((each) => taxKey(each) === taxKey(row))) continue;
    throw neutralRefusal(
      file.name,
      `${row['name']}: the content has ${row['level']} ${row['code']} there as ${other['name']}; write this name where the row replaces that rate, and a code of its own where it is another tax`,
    );
  }
};
