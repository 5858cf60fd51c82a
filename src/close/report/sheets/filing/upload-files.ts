import { sha256 } from '../../../../kernel/digest.ts';
import { checkPasses } from '../../../filing/return/tax-return.ts';
import type { UploadFile } from '../../../filing/upload/upload-file.ts';
import { defineSheet } from '../../../workbook/sheet.ts';

const failing = ({ checks }: UploadFile): readonly string[] =>
  checks.filter((check) => !checkPasses(check)).map(({ test }) => test);

/** The files in the folder `upload`, with what it takes to trust them. */
export const UPLOAD_FILES = defineSheet<UploadFile>({
  name: 'Upload files',
  table: 'Upload_files',
  title: 'Upload files',
  note: 'In the folder upload. A draft wants something added or checked by hand before a portal takes it.',
  freeze: { columns: 1 },
  paper: 'legal',
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Format', width: 30, format: 'text', value: ({ format }) => format },
    { title: 'File', width: 36, format: 'text', value: ({ name }) => name },
    { title: 'Rows', width: 8, format: 'count', value: ({ rows }) => rows },
    { title: 'Control total of', width: 22, format: 'text', value: ({ control }) => control.what },
    { title: 'Control total', width: 15, format: 'money', value: ({ control }) => control.amount },
    { title: 'Checks', width: 9, format: 'count', value: ({ checks }) => checks.length },
    {
      title: 'Checks that fail',
      width: 9,
      format: 'count',
      value: (file) => failing(file).length,
      total: 'sum',
    },
    { title: 'Draft', width: 8, format: 'yes-no', value: ({ isDraft }) => isDraft },
    {
      title: 'What to do',
      width: 52,
      format: 'text',
      value: (file) => [...failing(file), ...file.notes].join(' '),
    },
    { title: 'SHA-256', width: 36, format: 'text', value: ({ text }) => sha256(text) },
  ],
});
