import { DefectError } from '../../kernel/errors.ts';
import { stringXml } from './cell-xml.ts';

/** The texts of a workbook that cells refer to by number: those of the cells that exceljs drew, and then further ones. */
export type SharedStrings = {
  /** The number of a text, which is put down when it is new. */
  numberOf(text: string): number;
  /** The file that lists all of them. */
  xml(): string;
};

export const SHARED_STRINGS_PATH = 'xl/sharedStrings.xml';

/** @param drawn the file as exceljs wrote it */
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
