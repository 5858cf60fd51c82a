import { type GridRow, type LaidOutSheet, laidOut, text } from '../workbook/laid-out.ts';
import { textLines } from '../workbook/text-lines.ts';

const WIDTHS = [30, 100];
/** Letters per line of the explanation, which overflows into the second column. */
const LINE_LENGTH = 125;

/** Builds the first sheet of a book that stands alone: what it was made from, and what it shows. */
export const readmeSheet = (
  title: string,
  lines: readonly (readonly [label: string, value: string])[],
  shows: string,
): LaidOutSheet => {
  const columns = WIDTHS.map(() => ({ title: '' }));
  const rows = lines.map(
    ([label, value]): GridRow => ({ cells: [text(label, { bold: true }), text(value)] }),
  );
  const notes = textLines(shows, LINE_LENGTH).map((line): GridRow => ({ kind: 'note', cells: [text(line)] }));
  return laidOut({
    name: 'README',
    title,
    subtitle: '',
    orientation: 'landscape',
    widths: WIDTHS,
    cards: [],
    grids: [
      { hasHeader: false, columns, rows },
      { heading: 'What this workbook shows', hasHeader: false, columns, rows: notes },
    ],
    findings: [],
  });
};
