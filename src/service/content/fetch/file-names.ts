import type { CalendarDate } from '../../../kernel/calendar.ts';
import { ContentRefusedError } from '../content-error.ts';
import { parseSstName } from '../import/sst-name.ts';
import type { OfficialFileRow } from '../official-files.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const;
const MONTHS_OF = { month: 1, quarter: 3, half: 6, '': 1 } as const;

/** Replace the words in braces by the period of a day: `Rates_{yy}Q{q}.zip` is `Rates_26Q4.zip`. */
export const inPeriod = (text: string, every: OfficialFileRow['every'], on: CalendarDate): string => {
  const [year = '', month = ''] = on.split('-');
  const span = MONTHS_OF[every];
  const first = Math.floor((Number(month) - 1) / span) * span;
  const words: Readonly<Record<string, string>> = {
    yyyy: year,
    yy: year.slice(2),
    q: String(Math.floor((Number(month) - 1) / 3) + 1),
    m: String(first + 1),
    mm: String(first + 1).padStart(2, '0'),
    mon: MONTHS[first] ?? '',
    half: first < 6 ? 'Jan-June' : 'July-Dec',
  };
  return text.replace(/\{(\w+)\}/g, (braced, word: string) => words[word] ?? braced);
};

/** Return the file name at the end of an address or path. */
export const nameOf = (address: string): string => {
  const path = address.split(/[?#]/)[0] ?? '';
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
};

/**
 * Choose the file of a row among several by its name: the one that matches or, of Streamlined files, whose names
 * contain their quarters, the newest whose quarter has begun.
 */
export const chosenFile = (
  addresses: readonly string[],
  row: OfficialFileRow,
  on: CalendarDate,
): string | undefined => {
  const pattern = patternOf(inPeriod(row.file, row.every, on));
  const fitting = addresses.filter((address) => pattern.test(nameOf(address)));
  const dated = fitting
    .map((address) => ({ address, issue: issueOf(nameOf(address)) }))
    .filter(({ issue }) => issue !== undefined && issue.first <= on)
    .sort((left, right) => ((left.issue?.order ?? '') < (right.issue?.order ?? '') ? -1 : 1));
  return dated.at(-1)?.address ?? fitting.find((address) => issueOf(nameOf(address)) === undefined);
};

/** Whether a file has the name that a row awaits on a day, of whatever issue. */
export const isAwaited = (address: string, row: OfficialFileRow, on: CalendarDate): boolean =>
  patternOf(inPeriod(row.file, row.every, on)).test(nameOf(address));

const patternOf = (file: string): RegExp => {
  const escaped = file.replace(/[.+?^$()[\]{}|\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`, 'i');
};

type Issue = { readonly first: string; readonly order: string };

/** Read the issue from the name of a Streamlined file; a name that contradicts itself gets one that is never chosen. */
const issueOf = (name: string): Issue | undefined => {
  try {
    const parsed = parseSstName(name);
    return parsed && { first: parsed.period.first, order: `${parsed.period.label} ${parsed.published}` };
  } catch (error) {
    if (error instanceof ContentRefusedError) return { first: '9999-12-31', order: '' };
    throw error;
  }
};
