import type { TableRow, WorkbookTable } from './workbook-tables.ts';

type Tables = ReadonlyMap<string, WorkbookTable>;

/** A figure in a book and what it is made of. */
export type Walked = {
  /** What the cell comes to when its parts are added up again. */
  readonly figure: number;
  /** Rows that name file and line of an input. */
  readonly ends: readonly TableRow[];
};

/** Where a figure leads that no formula explains, from the sheet that states it. */
export type StatedQuery = (table: string, row: TableRow, title: string) => Walked;

const CALL = /(SUMIFS|COUNTIFS)\(([^()]*)\)/g;
const OWN_CELL = /\w+\[\[#This Row\],\[([^\]]*)\]\]/g;
const ENDS: ReadonlySet<string> = new Set(['Detail', 'Exceptions']);

/**
 * Follow a figure as an auditor does: by its formula to the rows that it adds up, and from those on, until there are
 * only rows that name a file and a line. Formulas are SUMIFS and COUNTIFS over tables, and sums and differences of
 * these and of cells of the same row.
 */
export const walk = (
  tables: Tables,
  start: { readonly table: string; readonly row: TableRow; readonly title: string },
  stated: StatedQuery,
): Walked => {
  const { table, row, title } = start;
  const formula = row[title]?.formula;
  if (formula === undefined) return stated(table, row, title);
  const ends: TableRow[] = [];
  const follow = (walked: Walked): string => {
    ends.push(...walked.ends);
    return `(${walked.figure})`;
  };
  const terms = formula
    .replace(CALL, (_, name: string, list: string) => {
      const parts = argumentsOf(list);
      const what = name === 'SUMIFS' ? parts.shift() : undefined;
      const [, source = '', column = ''] = /^(\w+)\[(.*)\]$/.exec(what ?? parts[0] ?? '') ?? [];
      const found = matching(tables, source, parts, row);
      if (ENDS.has(source)) {
        return follow({
          figure: what ? total(found.map((each) => Number(each[column]?.value ?? 0))) : found.length,
          ends: found,
        });
      }
      const walked = found.map((each) => walk(tables, { table: source, row: each, title: column }, stated));
      return follow({
        figure: total(walked.map(({ figure }) => figure)),
        ends: walked.flatMap((each) => each.ends),
      });
    })
    .replace(OWN_CELL, (_, own: string) => follow(walk(tables, { table, row, title: own }, stated)));
  return { figure: evaluated(terms, formula), ends };
};

const total = (figures: readonly number[]): number =>
  figures.reduce((sum, figure) => sum + Math.round(figure * 100), 0) / 100;

/** `ROUND((1.1)-(2)+(3),2)`, and the same without ROUND. */
const evaluated = (terms: string, formula: string): number => {
  const sum = /^ROUND\((.*),2\)$/.exec(terms)?.[1] ?? terms;
  if (!/^[+-]?\(-?[\d.e-]+\)([+-]\(-?[\d.e-]+\))*$/.test(sum)) throw new Error(`cannot follow ${formula}`);
  return total(
    [...sum.matchAll(/([+-]?)\((-?[\d.e-]+)\)/g)].map(
      ([, sign, figure]) => Number(figure) * (sign === '-' ? -1 : 1),
    ),
  );
};

const matching = (
  tables: Tables,
  source: string,
  criteria: readonly string[],
  row: TableRow,
): readonly TableRow[] => {
  const table = tables.get(source);
  if (!table) throw new Error(`there is no table ${source}`);
  const tests = Array.from({ length: criteria.length / 2 }, (_, index) => {
    const column = /^\w+\[(.*)\]$/.exec(criteria[2 * index] ?? '')?.[1] ?? '';
    if (!table.titles.includes(column)) throw new Error(`${source} has no column ${column}`);
    return { column, matches: criterion(criteria[2 * index + 1] ?? '', row) };
  });
  return table.rows.filter((each) =>
    tests.every(({ column, matches }) => matches(each[column]?.value ?? null)),
  );
};

const criterion = (text: string, row: TableRow): ((value: unknown) => boolean) => {
  const wanted = text
    .split('&')
    .map((part) =>
      part.startsWith('"') ? part.slice(1, -1) : String(row[part.replace(OWN_CELL, '$1')]?.value ?? ''),
    )
    .join('');
  const [, operator = '', operand = ''] = /^(<>|>|<)?(.*)$/.exec(wanted) ?? [];
  if (operator === '>') return (value) => typeof value === 'number' && value > Number(operand);
  if (operator === '<') return (value) => typeof value === 'number' && value < Number(operand);
  return (value) => (String(value ?? '') === operand) !== (operator === '<>');
};

const argumentsOf = (list: string): string[] =>
  list.match(/(?:\[\[[^\]]*\],\[[^\]]*\]\]|"[^"]*"|[^,])+/g) ?? [];
