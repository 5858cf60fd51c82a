/** The part of exceljs that Tieout uses. Its main entry also loads the streams, which are unused and slow to load. */
declare module 'exceljs/lib/doc/workbook.js' {
  export { Workbook as default } from 'exceljs';
}
