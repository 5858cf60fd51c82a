/** The part of exceljs that is used. Its entry also loads the streams, which no one here needs and which take long. */
declare module 'exceljs/lib/doc/workbook.js' {
  export { Workbook as default } from 'exceljs';
}
