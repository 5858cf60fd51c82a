import { readFile } from 'node:fs/promises';
import { columnLetter } from '../../src/workbook/text.ts';
import { readPackage } from './read-package.ts';

/** A cell as the file has it: exactly, where libraries that read workbooks drop zeros and blanks. */
export type StoredCell = {
  /** `By state!C7` */
  readonly place: string;
  readonly formula: string | undefined;
  /** `undefined` where the file states no value. */
  readonly value: string | number | boolean | undefined;
};

const SHEET =
  /<sheet\b[^>]*?\bname="([^"]*)"[^>]*?r:id="([^"]*)"|<sheet\b[^>]*?r:id="([^"]*)"[^>]*?\bname="([^"]*)"/g;
const CELL = /<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs;

/** Every cell that a workbook stores, sheet by sheet, row by row. */
export const storedCells = async (path: string): Promise<StoredCell[]> => {
  const files = await readPackage(await readFile(path));
  const text = (name: string): string => files.get(name)?.toString() ?? '';
  const strings = [...text('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>|<si\/>/gs)].map(([, item]) =>
    plainText(item ?? ''),
  );
  const targets = new Map(
    [...text('xl/_rels/workbook.xml.rels').matchAll(/<Relationship\b[^>]*>/g)].map(([element]) => [
      attribute(element, 'Id'),
      attribute(element, 'Target'),
    ]),
  );
  return [...text('xl/workbook.xml').matchAll(SHEET)].flatMap(([, name, id, otherId, otherName]) => {
    const sheet = text(`xl/${targets.get(id ?? otherId ?? '')}`);
    let address = '';
    return [...sheet.matchAll(CELL)].map(([, attributes = '', content = '']) => {
      address = attribute(attributes, 'r') ?? beside(address);
      return {
        place: `${decoded(name ?? otherName ?? '')}!${address}`,
        formula: element(content, 'f'),
        value: storedValue(attribute(attributes, 't'), content, strings),
      };
    });
  });
};

/** The place of a cell that states none: beside the one before it. */
const beside = (address: string): string => {
  const [, letters = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(address) ?? [];
  const column = [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
  return columnLetter(column + 1) + row;
};

const storedValue = (
  type: string | undefined,
  content: string,
  strings: readonly string[],
): StoredCell['value'] => {
  if (type === 'inlineStr') return plainText(content);
  const value = element(content, 'v');
  if (value === undefined) return undefined;
  if (type === 's') return strings[Number(value)];
  if (type === 'b') return value === '1';
  return type === undefined || type === 'n' ? Number(value) : value;
};

const plainText = (xml: string): string =>
  [...xml.matchAll(/<t\b[^>]*?(?:\/>|>(.*?)<\/t>)/gs)].map(([, part]) => decoded(part ?? '')).join('');

const element = (xml: string, name: string): string | undefined => {
  const found = new RegExp(`<${name}\\b[^>]*?(?:/>|>(.*?)</${name}>)`, 's').exec(xml);
  return found ? decoded(found[1] ?? '') : undefined;
};

const attribute = (xml: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(xml)?.[1];

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (xml: string): string =>
  xml
    .replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (_, hexadecimal, decimal, name) =>
      name === undefined
        ? String.fromCodePoint(Number(decimal ?? `0x${hexadecimal}`))
        : (ENTITIES[name] ?? ''),
    )
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
