import type { ReadGroup } from '../../sales/read-export.ts';
import type { Remark } from '../../sales/sale.ts';

/** Reasons for which a row is ignored because it frames the records, and what such rows are called. */
const FRAMING: Readonly<Record<string, string>> = {
  footer: 'a line below the records',
  'repeated-header': 'the header once more',
};

/** Counts what a file has beside its records while it is read, and says so at its end. */
export const framingNotices = (headerLine: number) => {
  const lines = new Map<string, number[]>();
  return {
    see: ({ group, record }: ReadGroup): void => {
      if (!('outcome' in record)) return;
      const what = FRAMING[record.reason.code];
      if (what === undefined) return;
      const found = lines.get(what) ?? [];
      if (found.length < LINES_NAMED_MAX + 1) found.push(group.rows[0]?.line ?? 0);
      lines.set(what, found);
    },
    notices: (rows: number): readonly Remark[] => {
      const before = headerLine === 1 ? [] : [`the header is on line ${headerLine}`];
      const skipped = [...before, ...[...lines].map(([what, at]) => `${what} on line ${named(at)}`)];
      return [
        ...(skipped.length > 0
          ? [{ code: 'framing', message: `beside its records: ${skipped.join('; ')}` }]
          : []),
        ...(rows === 0 ? [NO_ROWS] : []),
      ];
    },
  };
};

const LINES_NAMED_MAX = 3;

const named = (lines: readonly number[]): string => {
  const shown = lines.slice(0, LINES_NAMED_MAX).join(', ');
  return lines.length > LINES_NAMED_MAX ? `${shown} and more` : shown;
};

const NO_ROWS: Remark = { code: 'no-rows', message: 'it has a header and no rows' };
