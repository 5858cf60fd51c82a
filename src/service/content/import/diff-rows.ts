import type { TextRow } from './table-rows.ts';

/** One difference between a content and the same content with a file imported. */
export type ContentChange = {
  readonly change: 'added' | 'removed' | 'rate' | 'dates' | 'other';
  readonly state: string;
  readonly level: string;
  readonly code: string;
  readonly name: string;
  readonly tax: string;
  readonly from: string;
  readonly before: string;
  readonly after: string;
};

export type ContentDiff = {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly changes: readonly ContentChange[];
};

const cells = (row: TextRow, names: readonly string[]): string =>
  names.map((name) => row[name] ?? '').join('|');

const keyOf = (row: TextRow): string =>
  [
    row['state'],
    row['level'] ?? 'state',
    row['code'],
    row['tax'],
    row['from'],
    row['counties'],
    row['places'],
  ].join('|');

const describe = (
  change: ContentChange['change'],
  row: TextRow,
  before: string,
  after: string,
): ContentChange => ({
  change,
  state: row['state'] ?? '',
  level: row['level'] ?? 'state',
  code: row['code'] ?? '',
  name: row['name'] ?? row['state'] ?? '',
  tax: row['tax'] ?? 'general',
  from: row['from'] ?? '',
  before,
  after,
});

/** What an import would change, row by row. Rows are the same when jurisdiction, area, tax and first day are. */
export const diffRows = (before: readonly TextRow[], after: readonly TextRow[]): ContentDiff => {
  const old = new Map<string, TextRow[]>();
  for (const row of before) old.set(keyOf(row), [...(old.get(keyOf(row)) ?? []), row]);
  const changes: ContentChange[] = [];
  let unchanged = 0;
  for (const row of after) {
    const was = old.get(keyOf(row))?.shift();
    if (!was) changes.push(describe('added', row, '', row['rate'] ?? ''));
    else if (Number(was['rate']) !== Number(row['rate'])) {
      changes.push(describe('rate', row, was['rate'] ?? '', row['rate'] ?? ''));
    } else if (was['to'] !== row['to'])
      changes.push(describe('dates', row, was['to'] ?? '', row['to'] ?? ''));
    else if (
      cells(was, ['scope', 'confidence', 'except_places']) !==
      cells(row, ['scope', 'confidence', 'except_places'])
    ) {
      changes.push(describe('other', row, was['confidence'] ?? '', row['confidence'] ?? ''));
    } else unchanged += 1;
  }
  for (const row of [...old.values()].flat()) changes.push(describe('removed', row, row['rate'] ?? '', ''));
  const count = (change: string) => changes.filter((entry) => entry.change === change).length;
  const [added, removed] = [count('added'), count('removed')];
  return { added, removed, changed: changes.length - added - removed, unchanged, changes };
};
