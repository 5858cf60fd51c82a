import type { SaleFinding } from '../close/sales/sale.ts';
import { shownCount } from '../kernel/text.ts';
import type { SourceFileRow } from './read-file.ts';

/** Returns what the reading of exports came to, in words. */
export const summaryOf = (
  files: readonly SourceFileRow[],
  loaded: number,
  beside: readonly string[],
): string => {
  const total = (pick: (file: SourceFileRow) => number): string =>
    shownCount(files.reduce((running, file) => running + pick(file), 0));
  const rows = `${total((file) => file.rows)} rows: ${total((file) => file.used)} used, ${total((file) => file.ignored)} ignored, ${total((file) => file.rejected)} rejected`;
  const besideSaid = beside.length > 0 ? [`beside the exports and not read: ${beside.join(', ')}`] : [];
  if (loaded === 0) return [`${rows}, as read before`, ...besideSaid].join('; ');
  const notices = files.flatMap((file) => noticesOf(file).map((notice) => ({ ...notice, path: file.path })));
  const leftOut = notices.filter(({ code }) => code === 'left-out').map(({ path }) => path);
  return [
    rows,
    ...(leftOut.length > 0 ? [`left out as no exports of sales: ${[...new Set(leftOut)].join(', ')}`] : []),
    ...besideSaid,
    ...notices.filter(({ code }) => SAID_FIRST.has(code)).map(({ path, message }) => `${path}: ${message}`),
  ].join('; ');
};

const noticesOf = ({ notices }: SourceFileRow): readonly SaleFinding[] =>
  JSON.parse(notices) as SaleFinding[];

/** Findings on files that people should see before the close continues with their sales. */
const SAID_FIRST = new Set([
  'cut-off',
  'days-missing',
  'files-overlap',
  'no-refund-column',
  'no-refund-dates',
  'tax-report-totals',
  'time-zone-differs',
]);
