const MB = 1024 * 1024;

/**
 * What one file may ask of the machine. Each limit is far above any export of a shop; what exceeds it was made to do
 * harm, or is not an export.
 */

/** Bytes that a compressed file may come to. */
export const UNPACKED_BYTES_MAX = 16 * 1024 * MB;

/** How many times its compressed size a file may come to, once it is larger than `UNPACKED_FREE_BYTES`. */
export const EXPANSION_MAX = 300;
export const UNPACKED_FREE_BYTES = 32 * MB;

/** Characters of one record. Cells hold notes and addresses, not books. */
export const RECORD_LENGTH_MAX = 1_000_000;

/** Bytes without any end of a line. A cell may have lines of its own, so this is looser than the record. */
export const LINE_BYTES_MAX = 4 * MB;

/** Cells of one record; spreadsheets end at 16,384 columns, exports at a few hundred. */
export const RECORD_CELLS_MAX = 2_000;

/** Members of one archive. */
export const ARCHIVE_MEMBERS_MAX = 1_000;

/** A workbook is read as a whole: about 1.5 million cells in one gigabyte of memory. */
export const WORKBOOK_BYTES_MAX = 32 * MB;
export const WORKBOOK_XML_BYTES_MAX = 64 * MB;
export const SHEETS_MAX = 50;

/** Beyond this a workbook may come to `EXPANSION_MAX` times its size: real ones come to ten or twenty times it. */
export const WORKBOOK_XML_FREE_BYTES = 4 * MB;

/** What the XML of a workbook may be: sheets are about ten deep, and have some ten attributes an element. */
export const XML_DEPTH_MAX = 100;
export const XML_ELEMENTS_MAX = 4_000_000;
export const XML_ATTRIBUTES_MAX = 1_000;

/** Rows of a sheet, as spreadsheets have them at the most. */
export const SHEET_ROWS_MAX = 1_048_576;

/** A size as a person reads it. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 * MB ? `${bytes / (1024 * MB)} GB` : bytes >= MB ? `${bytes / MB} MB` : `${bytes} bytes`;
