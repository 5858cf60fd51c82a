import { periodName } from '../figures/day-words.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { type GridColumn, type GridRow, type LaidOutSheet, laidOut, text } from '../workbook/laid-out.ts';
import { textLines } from '../workbook/text-lines.ts';
import { type BookSection, contentsRows, type LeftOut } from './book.ts';

export type ContentsGiven = {
  readonly reference: string;
  readonly sections: readonly BookSection[];
  readonly leftOut: readonly LeftOut[];
  /** How the figures were computed, and the meaning of the marks: a label and a text each. */
  readonly method: readonly (readonly [label: string, text: string])[];
};

const COLUMNS: readonly (GridColumn & { readonly width: number })[] = [
  { title: 'Ref', width: 18 },
  { title: 'Sheet', width: 27 },
  { title: 'What it shows', width: 62 },
  { title: 'Rows', width: 12, align: 'right' },
  { title: 'Control total of', width: 18 },
  { title: 'Amount', width: 16, align: 'right' },
];

/** Builds the sheet with the contents, the one place to sign, the method and the marks. */
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
    findings: [],
  });

const signer = (role: string): GridRow => ({
  cells: [
    text(role, { bold: true }),
    { format: 'text', value: undefined, input: true },
    text('the content digest in evidence/manifest.json', { grey: true }),
    { format: 'date', value: undefined, input: true },
  ],
});

/** `tieout sign` signs the folder, including this book, with keys. These rows are for names on paper or in a copy. */
const SIGN_OFF = {
  heading: 'Sign-off on paper or in a copy',
  hasHeader: true,
  columns: ['Role', 'Name', 'Signed over', 'Date'].map((title) => ({ title })),
  rows: [
    ...['Preparer', 'Reviewer'].map(signer),
    {
      kind: 'note' as const,
      cells: [
        text(
          'This book cannot show who signed it: a signature covers its bytes. Signatures stand beside it in evidence/; `tieout verify` lists them. A change in a signed folder voids them.',
          { grey: true },
        ),
      ],
    },
  ],
};

/** Letters per line of a note, which overflows into the columns beside it. */
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
