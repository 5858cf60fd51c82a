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

/** What of the last record of a file shows that the rest of it is missing: too few cells, or line items that are not all there. */
const NOT_WHOLE = new Set(['cell-count', 'lines-differ']);

/** Looks at the last record of a file, which is not whole where the file was cut off. */
export const endNotices = () => {
  let last: { readonly line: number; readonly read: ReadGroup } | undefined;
  return {
    see: (read: ReadGroup): void => {
      const line = read.group.rows.at(-1)?.line ?? 0;
      if (!last || line > last.line) last = { line, read };
    },
    /** With those about the form of the file, of which this one says more than the missing line end. */
    with: (notices: readonly Remark[]): readonly Remark[] => {
      const found = last && notWhole(last.read);
      if (!last || !found) return notices;
      const name = last.read.group.name === '' ? '' : ` (${last.read.group.name})`;
      const message = `the file may be cut off: its last record${name}, which ends on line ${last.line}, is not whole: ${found.message}`;
      return [...notices.filter(({ code }) => code !== 'no-final-line-end'), { code: 'cut-off', message }];
    },
  };
};

const notWhole = ({ record }: ReadGroup): Remark | undefined => {
  const sale = 'order' in record ? record.order : 'refund' in record ? record.refund : undefined;
  const said = sale ? sale.remarks : 'reason' in record ? [record.reason] : [];
  return said.find(({ code }) => NOT_WHOLE.has(code));
};

const NO_ROWS: Remark = { code: 'no-rows', message: 'it has a header and no rows' };
