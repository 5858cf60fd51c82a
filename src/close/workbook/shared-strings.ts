import { DefectError } from '../../kernel/errors.ts';
import { stringXml } from './cell-xml.ts';

/**
 * The shared strings of a workbook, to which cells refer by number: first those that exceljs wrote, then added ones.
 */
export type SharedStrings = {
  /** Returns the number of a text and adds the text if it is new. */
  numberOf(text: string): number;
  /** The XML of the file with all shared strings. */
  xml(): string;
};

export const SHARED_STRINGS_PATH = 'xl/sharedStrings.xml';

/** @param drawn The file as exceljs wrote it */
export const sharedStrings = (drawn: string): SharedStrings => {
  const [, head, count, drawnItems] =
    /^(.*?<sst [^>]*?) count="\d+" uniqueCount="(\d+)">(.*)<\/sst>$/s.exec(drawn) ?? [];
  if (count === undefined)
    throw new DefectError('exceljs wrote the shared texts differently from how before');
  const first = Number(count);
  const numbers = new Map<string, number>();
  return {
    numberOf: (text) => {
      const number = numbers.get(text) ?? first + numbers.size;
      numbers.set(text, number);
      return number;
    },
    xml: () => {
      const items = [...numbers.keys()].map((text) => `<si>${stringXml(text)}</si>`);
      return `${head}>${drawnItems}${items.join('')}</sst>`;
    },
  };
};
