import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { type ContentStatus, contentStatus } from '../content/content-status.ts';
import { loadWholeContent } from '../content/load-content.ts';
import { type ImportReport, importContent } from '../import/import-content.ts';
import { calendarDate, parseDate, utcDateOf } from '../kernel/calendar.ts';
import type { TieoutError } from '../kernel/errors.ts';
import { proveWritable } from '../runtime/publish-folder.ts';
import type { CommandIo } from './io.ts';
import { usageError, wholeNumber } from './options.ts';
import { printAnswer, textTable } from './print.ts';

type StatusOptions = {
  readonly content?: string;
  readonly on?: string;
  readonly json?: boolean;
};
type ImportOptions = {
  readonly content?: string;
  readonly plan?: boolean;
  readonly rowFloor?: number;
  readonly json?: boolean;
};

/** Builds `tieout content …`: shows the coverage of the tax content, and imports rate files. */
export const contentCommand = (io: CommandIo): Command => {
  const content = new Command('content');

  content
    .command('status')
    .description('Show coverage, confidence, validity and age by state')
    .option('--content <folder>', 'use this tax content folder instead of the built-in one')
    .option('--on <day>', 'as of this day (default: the day of the content)')
    .option('--json', 'print a single JSON object to stdout')
    .action(async ({ content: folder, on, json }: StatusOptions) => {
      if (on !== undefined && parseDate(on) === undefined)
        throw contentUsage(`"${on}" is not a day`, 'Write it as 2026-10-31.');
      const loaded = loadWholeContent(folder);
      const status = on === undefined ? contentStatus(loaded) : contentStatus(loaded, calendarDate(on));
      printAnswer(io, json, status, statusText(status));
    });

  content
    .command('import <file>')
    .description('Import an official rate file into a content folder')
    .option(
      '--content <folder>',
      'the content folder; one that is not there yet starts from the content of Tieout',
    )
    .option('--plan', 'show what the import would change, and write nothing')
    .option('--row-floor <number>', 'refuse a file with fewer rows', wholeNumber(100_000_000))
    .option('--json', 'print a single JSON object to stdout')
    .action(async (file: string, { content: folder, plan, rowFloor, json }: ImportOptions) => {
      if (!folder) {
        throw contentUsage(
          '--content names the folder, and it is missing',
          'The content that comes with Tieout is never changed; name a folder of your own.',
        );
      }
      if (!plan) await proveWritable(existsSync(folder) ? folder : dirname(resolve(folder)));
      const on = plan ? undefined : utcDateOf(io.clock.now());
      const report = await importContent(file, folder, { on, rowFloor });
      printAnswer(io, json, report, `${importReportText(report)}${report.written ? useOf(folder) : ''}`);
    });
  return content;
};

const statusText = ({ name, version, date, states, credits }: ContentStatus): string => {
  const rows = states.map((state) => [
    ...[state.state, state.coverage, state.stateRate, String(state.localRates)],
    `${state.coveredSince} ${state.coveredUntil}`.trim(),
    Object.entries(state.confidence).flat().join(' '),
  ]);
  const head = ['State', 'Coverage', 'State rate', 'Local', 'Known from, to', 'Confidence of the rates'];
  return [
    `${name} ${version} of ${date}\n`,
    textTable([head, ...rows]),
    'The pages of the authorities with newer rates: official-files.tsv of the content folder.\n',
    ...credits.map((credit) => `Credit: ${credit}\n`),
  ].join('\n');
};

/** Formats the result of an import, or of its preview, for people; `--json` has the rows. */
const importReportText = ({ diff, ...report }: ImportReport): string => {
  const lines = [
    `${report.file}: ${[report.kind, report.state, report.period].filter((word) => word !== '').join(' ')}, ${report.rows} rows`,
    `${diff.added.length} added, ${diff.removed.length} removed`,
    ...report.warnings.map((warning) => `warning: ${warning}`),
    report.written ? `imported; the content is now ${report.version}` : 'nothing was written',
  ];
  return `${lines.join('\n')}\n`;
};

/** Explains how to use a folder: otherwise, the next close calculates with the built-in content again. */
const useOf = (folder: string): string =>
  `Next: write \`content: ${resolve(folder)}\` into tieout.yaml, so that every close uses it, and close again; \`--content\` names it for one run\n`;

const contentUsage = (message: string, nextStep: string): TieoutError =>
  usageError(message, nextStep, 'E_CONTENT_USAGE');
