import { readFile } from 'node:fs/promises';
import { readPackage } from './read-package.ts';

const SHEET_NAME_MAX = 31;
const LIST_MAX = 255;
/** Excel's list, and the apostrophe, which exceljs does not double in the print titles. */
const SHEET_NAME_FORBIDDEN = /[[\]:*?/\\']/;
const NAME = /^[A-Za-z_][A-Za-z0-9_.]{0,254}$/;
/** Excel reads `TX1` and `R1C1` as cells, and `R` and `C` as a row and a column. */
const LOOKS_LIKE_CELL = /^(?:[A-Za-z]{1,3}\d+|[Rr]\d*(?:[Cc]\d*)?|[Cc]\d*)$/;
/** These need escaping in a structured reference, which would make formulas unreadable. */
const TITLE_FORBIDDEN = /[[\]#'@\n\r\t]|^\s|\s$|^$/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (xml: string): string => xml.replace(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '');

const all = (xml: string, pattern: RegExp): readonly string[] =>
  [...xml.matchAll(pattern)].map(([, found = '']) => decoded(found));

const twins = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) =>
    names.slice(0, index).some((other) => other.toLowerCase() === name.toLowerCase()),
  );

/**
 * What Excel would refuse or not find in a workbook: names and titles that it does not take or that are taken already,
 * lists of choices that are too long, and formulas that refer to a table, a column or a name that is not there.
 */
export const bookFaults = async (path: string): Promise<readonly string[]> => {
  const files = await readPackage(await readFile(path));
  const parts = (pattern: RegExp) =>
    [...files].filter(([file]) => pattern.test(file)).map(([, content]) => content.toString());
  const [workbook = ''] = parts(/^xl\/workbook\.xml$/);
  const sheets = all(workbook, /<sheet [^>]*?name="([^"]*)"/g);
  const names = all(workbook, /<definedName [^>]*?name="([^"]*)"/g).filter(
    (name) => !name.startsWith('_xlnm.'),
  );
  const tables = new Map(
    parts(/^xl\/tables\//).map((xml) => [
      all(xml, /<table [^>]*? name="([^"]*)"/g)[0] ?? '',
      all(xml, /<tableColumn [^>]*?name="([^"]*)"/g),
    ]),
  );
  const taken = [...tables.keys(), ...names];
  const worksheets = parts(/^xl\/worksheets\/sheet/);
  const formulas = [
    ...worksheets.flatMap((xml) => all(xml, /<f>([^<]*)<\/f>/g)),
    ...parts(/^xl\/tables\//).flatMap((xml) => all(xml, /<calculatedColumnFormula>([^<]*)</g)),
  ];
  return [
    ...sheets
      .filter((name) => name === '' || name.length > SHEET_NAME_MAX || SHEET_NAME_FORBIDDEN.test(name))
      .map((name) => `a sheet cannot be called ${name}`),
    ...twins(sheets).map((name) => `two sheets are called ${name}`),
    ...taken
      .filter((name) => !NAME.test(name) || LOOKS_LIKE_CELL.test(name))
      .map((name) => `nothing can be called ${name}`),
    ...twins(taken).map((name) => `two things are called ${name}`),
    ...[...tables].flatMap(([table, titles]) => [
      ...titles
        .filter((title) => TITLE_FORBIDDEN.test(title))
        .map((title) => `${table} has a title ${title}`),
      ...twins(titles).map((title) => `${table} has two columns ${title}`),
    ]),
    ...worksheets
      .flatMap((xml) => all(xml, /<formula1>([^<]*)<\/formula1>/g).map((list) => list.replace(/^"|"$/g, '')))
      .filter((list) => list.length > LIST_MAX || list.split(',').includes(''))
      .map((list) => `a cell cannot offer ${list}`),
    ...new Set(formulas.flatMap((formula) => missingIn(formula, { tables, names, sheets }))),
  ];
};

type Known = {
  readonly tables: ReadonlyMap<string, readonly string[]>;
  readonly names: readonly string[];
  readonly sheets: readonly string[];
};

/** Lists what a formula refers to and is not there. */
const missingIn = (formula: string, { tables, names, sheets }: Known): readonly string[] => {
  const found: string[] = [];
  const rest = formula
    .replace(/"(?:[^"]|"")*"/g, '')
    .replace(/'([^']*)'!(?:\$[A-Z]+\$\d+)(?::\$[A-Z]+\$\d+)?/g, (_, sheet: string) => {
      if (!sheets.includes(sheet)) found.push(`a formula refers to the sheet ${sheet}`);
      return '';
    })
    .replace(/(\w*)\[(?:\[#This Row\],)?\[?([^[\]]*)\]?\]/g, (_, table: string, title: string) => {
      if (!tables.get(table)?.includes(title)) found.push(`a formula refers to ${table}[${title}]`);
      return '';
    });
  for (const [word] of rest.matchAll(/[A-Za-z_][\w.]*(?![\w.(])/g))
    if (!names.includes(word) && !/^(?:[A-Z]{1,3}\d+|TRUE|FALSE)$/.test(word))
      found.push(`a formula refers to ${word}`);
  return found;
};
