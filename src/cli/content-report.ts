import { resolve } from 'node:path';
import { TieoutError } from '../kernel/errors.ts';
import type { ImportReport } from '../service/content/import/import-content.ts';

/** Maximum number of changed rows listed. */
const CHANGES_SHOWN_MAX = 20;

/** Formats the result of an import, or of its preview, for people. */
export const importReportText = (report: ImportReport): string => {
  const { added, removed, changed, unchanged, changes } = report.diff;
  const more = changes.length > CHANGES_SHOWN_MAX ? [`  and ${changes.length - CHANGES_SHOWN_MAX} more`] : [];
  const lines = [
    `${report.file}: ${[report.kind, report.state, report.period].filter((word) => word !== '').join(' ')}, ${report.rows} rows`,
    `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`,
    ...changes.slice(0, CHANGES_SHOWN_MAX).map((change) => `  ${changeText(change)}`),
    ...more,
    ...report.warnings.map((warning) => `warning: ${warning}`),
    report.written ? `imported; the content is now ${report.version}` : 'nothing was written',
  ];
  return `${lines.join('\n')}\n`;
};

/** Explains how to use a folder: otherwise, the next close calculates with the built-in content again. */
export const useOf = (folder: string): string =>
  `Next: write \`content: ${resolve(folder)}\` into tieout.yaml, so that every close uses it, and close again; \`--content\` names it for one run\n`;

const changeText = (row: ImportReport['diff']['changes'][number]): string => {
  const { change, before, after, from } = row;
  const tax = row.tax === 'general' ? '' : row.tax;
  const what = [row.state, row.level, row.code, row.name, tax, from && `from ${from}`]
    .filter((word) => word !== '')
    .join(' ');
  return `${change}: ${what}${before || after ? `: ${before || 'none'} → ${after || 'none'}` : ''}`;
};

/** Builds an error for wrong use of a content command. */
export const contentUsage = (message: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_CONTENT_USAGE', message, nextStep });
