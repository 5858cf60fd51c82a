/**
 * The part of exceljs that Tieout uses. Its main entry also loads the streams, which Tieout does not use and which load
 * slowly.
 */
declare module 'exceljs/lib/doc/workbook.js' {
  export { Workbook as default } from 'exceljs';
}
