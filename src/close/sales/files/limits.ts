const MB = 1024 * 1024;

/** Resource limits for one file, far above any shop's export: a file beyond them is malicious, or not an export. */

/** Maximum unpacked size of a compressed file, in bytes. */
export const UNPACKED_BYTES_MAX = 16 * 1024 * MB;

/** Maximum ratio of unpacked to compressed size, enforced above `UNPACKED_FREE_BYTES`. */
export const EXPANSION_MAX = 300;
export const UNPACKED_FREE_BYTES = 32 * MB;

/** Maximum characters in one record. Cells contain notes and addresses, not books. */
export const RECORD_LENGTH_MAX = 1_000_000;

/** Maximum bytes without a line end. Cells may contain several lines, so this is looser than the limit for records. */
export const LINE_BYTES_MAX = 4 * MB;

/** Maximum cells in one record; spreadsheets have at most 16,384 columns, exports a few hundred. */
export const RECORD_CELLS_MAX = 2_000;

/** Maximum members of one archive. */
export const ARCHIVE_MEMBERS_MAX = 1_000;

/** A workbook is read as a whole: about 1.5 million cells in one gigabyte of memory. */
export const WORKBOOK_BYTES_MAX = 32 * MB;
export const WORKBOOK_XML_BYTES_MAX = 64 * MB;
export const SHEETS_MAX = 50;

/** Above this size a workbook may expand at most `EXPANSION_MAX` times; real ones expand ten to twenty times. */
export const WORKBOOK_XML_FREE_BYTES = 4 * MB;

/** Limits for the XML of a workbook: sheets are about ten levels deep, with some ten attributes per element. */
export const XML_DEPTH_MAX = 100;
export const XML_ELEMENTS_MAX = 4_000_000;
export const XML_ATTRIBUTES_MAX = 1_000;

/** Maximum rows of a sheet in spreadsheet programs. */
export const SHEET_ROWS_MAX = 1_048_576;

/** A size as text for people. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 * MB ? `${bytes / (1024 * MB)} GB` : bytes >= MB ? `${bytes / MB} MB` : `${bytes} bytes`;
