import type { PeriodReport } from '../figures/period-report.ts';
import type { DetailLine } from '../judge/detail-row.ts';
import { type Draw, PER_STRATUM, sampler } from '../judge/sampling.ts';
import { defineSheet, type FilledSheet, filled, type RowPages } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { bookOf, propertiesOf } from './books.ts';
import { count, id, money, word, words } from './parts.ts';

/**
 * Builds working-papers.xlsx, which a close writes where it is asked to: rows drawn by chance for testing.
 */
export const workingPapers = async (
  report: PeriodReport,
  detail: RowPages<DetailLine>,
): Promise<WorkbookContent> => {
  // The configuration has no seed, so that no one can influence the sample.
  const seed = `${report.entity} ${report.period.label}`;
  const sample = sampler(seed);
  for await (const page of detail) page.forEach(sample.add);
  return {
    properties: propertiesOf(report, `Working papers ${report.period.label}: ${report.seller}`),
    ...bookOf('W', [{ sheet: samplingSheet(seed, sample.drawn()), tab: 'support' }]),
  };
};

/** Builds the sheet of randomly drawn rows for an auditor, with the parameters that reproduce the draw. */
const samplingSheet = (seed: string, draws: readonly Draw[]): FilledSheet =>
  filled(
    defineSheet<Draw>({
      name: 'Sampling',
      table: 'Sampling',
      title: 'Sampling: rows of Detail drawn for testing',
      note: `Each posted row has a random number, the first 12 hexadecimal digits of SHA-256 of seed, line feed and key (channel/kind/transaction). Drawn are the smallest numbers of each stratum.\nSeed: ${seed}. Rows per stratum: ${PER_STRATUM}.`,
      freeze: { columns: 1 },
      columns: [
        id('Transaction', 16, ({ row }) => row.id),
        words('Stratum', 22, ({ stratum }) => stratum),
        count('Population', 11, ({ population }) => population),
        money('Population amount', 16, ({ populationAmount }) => populationAmount, {
          note: 'Sum of gross amounts without their signs.',
        }),
        count('Draw', 7, ({ order }) => order),
        word('Kind', 8, ({ row }) => row.kind),
        word('State', 7, ({ row }) => row.state),
        money('Gross', 13, ({ row }) => row.gross),
        money('Collected', 12, ({ row }) => row.collected),
        money('Expected', 12, ({ row }) => row.expected),
        words('Channel', 12, ({ row }) => row.channel),
        words('File', 24, ({ row }) => row.file),
        count('Line', 8, ({ row }) => row.line),
      ],
    }),
    draws,
  );
