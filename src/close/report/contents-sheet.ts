import { formula } from '../workbook/cell.ts';
import {
  type GridCell,
  type GridColumn,
  type GridRow,
  type LaidOutSheet,
  laidOut,
} from '../workbook/laid-out.ts';
import { textLines } from '../workbook/text-lines.ts';
import { type BookSection, contentsRows, type LeftOut } from './book.ts';
import { periodName } from './day-words.ts';
import type { PeriodReport } from './period-report.ts';

export type ContentsGiven = {
  readonly reference: string;
  readonly sections: readonly BookSection[];
  readonly leftOut: readonly LeftOut[];
  /** How the figures were made, and what the marks mean: a label and a text each. */
  readonly method: readonly (readonly [label: string, text: string])[];
};

const COLUMNS: readonly (GridColumn & { readonly width: number })[] = [
  { title: 'Ref', width: 15 },
  { title: 'Sheet', width: 27 },
  { title: 'What it shows', width: 62 },
  { title: 'Rows', width: 12, align: 'right' },
  { title: 'Control total of', width: 18 },
  { title: 'Amount', width: 16, align: 'right' },
];

const text = (value: string, looks: Omit<GridCell, 'format' | 'value'> = {}): GridCell => ({
  format: 'text',
  value,
  ...looks,
});

/** The sheet that leads to all others: contents, the one place to sign, method and marks. */
export const contentsSheet = (
  { period, seller }: PeriodReport,
  { reference, sections, leftOut, method }: ContentsGiven,
): LaidOutSheet =>
  laidOut({
    name: 'Contents',
    reference,
    tab: 'answer',
    title: 'Contents, method and sign-off',
    subtitle: `${seller}  ·  ${periodName(period.label)}  ·  click the name of a sheet to open it`,
    orientation: 'portrait',
    widths: COLUMNS.map(({ width }) => width),
    cards: [],
    grids: [
      { name: 'Contents', hasHeader: true, columns: COLUMNS, rows: contentsRows(sections) },
      ...(leftOut.length === 0
        ? []
        : [
            {
              heading: 'Not in this workbook',
              hasHeader: false,
              columns: COLUMNS,
              rows: noteRows(leftOut.map(({ sheet, why }) => [sheet, why] as const)),
            },
          ]),
      SIGN_OFF,
      { heading: 'Method and marks', hasHeader: false, columns: COLUMNS, rows: noteRows(method) },
    ],
    remarks: [],
  });

const SIGN_OFF_TABLE = 'Sign_off';

const signer = (role: string, position: number): GridRow => ({
  cells: [
    text(role, { bold: true }),
    { format: 'text', value: undefined, input: true },
    text('the content digest in evidence/manifest.json', { grey: true }),
    { format: 'date', value: undefined, input: true },
    {
      format: 'status',
      tone: 'idle',
      value: formula(
        (at) =>
          `IF(OR(${at.cellAt(SIGN_OFF_TABLE, 'Name', position)}="",${at.cellAt(SIGN_OFF_TABLE, 'Date', position)}=""),"○ Not signed","✓ Signed")`,
        '○ Not signed',
      ),
    },
    undefined,
  ],
});

/** `tieout sign` signs the folder with keys; this is the place for names on paper. */
const SIGN_OFF = {
  heading: 'Sign-off',
  name: SIGN_OFF_TABLE,
  hasHeader: true,
  columns: ['Role', 'Name', 'Signed over', 'Date', 'Status', 'Remark'].map((title) => ({ title })),
  rows: ['Preparer', 'Reviewer'].map(signer),
};

/** Letters of a note in a line; it runs on over the columns beside it. */
const NOTE_LENGTH = 135;

const noteRows = (notes: readonly (readonly [label: string, text: string])[]): readonly GridRow[] =>
  notes.flatMap(([label, note]) =>
    textLines(note, NOTE_LENGTH).map(
      (line, index): GridRow => ({
        kind: 'note',
        cells: [text(index === 0 ? label : '', { bold: true }), text(line)],
      }),
    ),
  );
