import { posix } from 'node:path';
import { readPackage } from '../support/read-package.ts';
import { richText } from './cell-text.ts';
import { gridText } from './grid.ts';
import { type Element, elementOf, elementsOf, parseMarkup, textOf } from './markup.ts';
import { kindsOf } from './number-kinds.ts';
import { sheetGrid } from './sheet-grid.ts';

/** A workbook as texts by name: `Book.txt` with its sheets and names, and one grid for each sheet. */
export const bookTexts = async (book: Buffer): Promise<ReadonlyMap<string, string>> => {
  const files = new Map([...(await readPackage(book))].map(([path, bytes]) => [path, bytes.toString()]));
  const read = (path: string): Element => parseMarkup(files.get(path) ?? '');
  const workbook = read('xl/workbook.xml');
  const sheets = elementsOf(workbook, 'sheet');
  const names = elementsOf(workbook, 'definedName');
  const targets = relationsOf(files, 'xl/workbook.xml');
  const kinds = kindsOf(read('xl/styles.xml'));
  const sharedStrings = elementsOf(read('xl/sharedStrings.xml'), 'si').map(richText);

  const texts = new Map([['Book.txt', indexText(read('docProps/core.xml'), sheets, names)]]);
  for (const [index, { attributes }] of sheets.entries()) {
    const path = targets.find(({ id }) => id === attributes['r:id'])?.target ?? '';
    const related = relationsOf(files, path);
    const parts = {
      tables: related
        .filter(({ kind }) => kind === 'table')
        .map(({ target }) => elementOf(read(target), 'table')),
      targets: new Map(related.map(({ id, address }) => [id, address])),
      ownNames: names
        .filter((name) => name.attributes['localSheetId'] === String(index))
        .map((name) => `${name.attributes['name']} is ${textOf(name)}`),
    };
    const tables = parts.tables.filter((table) => table !== undefined);
    const grid = sheetGrid(read(path), { ...parts, tables }, sharedStrings, kinds);
    texts.set(`${attributes['name']}.txt`, gridText(grid));
  }
  return texts;
};

const indexText = (properties: Element, sheets: readonly Element[], names: readonly Element[]): string =>
  [
    `title: ${textOf(elementOf(properties, 'title'))}`,
    ...sheets.map(({ attributes }) => {
      const state = attributes['state'] ?? 'visible';
      return `sheet ${attributes['name']}${state === 'visible' ? '' : `, ${state}`}`;
    }),
    ...names
      .filter(({ attributes }) => attributes['localSheetId'] === undefined)
      .map((name) => `name ${name.attributes['name']} is ${textOf(name)}`),
    '',
  ].join('\n');

type Relation = {
  readonly id: string;
  readonly kind: string;
  readonly target: string;
  readonly address: string;
};

/** What a part of the package refers to; `target` is a path in the package, `address` what is written there. */
const relationsOf = (files: ReadonlyMap<string, string>, path: string): readonly Relation[] => {
  const folder = posix.dirname(path);
  const text = files.get(`${folder}/_rels/${posix.basename(path)}.rels`) ?? '';
  return elementsOf(parseMarkup(text), 'Relationship').map(({ attributes }) => {
    const address = attributes['Target'] ?? '';
    return {
      id: attributes['Id'] ?? '',
      kind: (attributes['Type'] ?? '').replace(/^.*\//, ''),
      target: address.startsWith('/') ? address.slice(1) : posix.join(folder, address),
      address,
    };
  });
};
