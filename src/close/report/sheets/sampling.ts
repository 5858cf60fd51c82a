import type { Draw, SamplingPlan } from '../../reconcile/sampling.ts';
import { cellOf } from '../../workbook/cell.ts';
import { defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';

/** Builds the sheet of randomly drawn rows for an auditor, with the parameters that reproduce the draw. */
export const samplingSheet = (plan: SamplingPlan, draws: readonly Draw[]): FilledSheet =>
  filled(
    defineSheet<Draw>({
      name: 'Sampling',
      table: 'Sampling',
      title: 'Sampling: rows of Detail drawn for testing',
      note: 'Each posted row has a random number, the first 12 hexadecimal digits of SHA-256 of seed, line feed and key (channel/kind/transaction). Stratified: the smallest numbers of each stratum. Monetary unit: the smallest after division by the amount, so that large amounts are drawn more often.',
      lines: [
        { label: 'Seed', value: cellOf('text', plan.seed) },
        { label: 'Rows per stratum', value: cellOf('count', plan.perStratum) },
        { label: 'Rows by monetary unit', value: cellOf('count', plan.monetaryUnits) },
      ],
      freeze: { columns: 1 },
      columns: [
        { title: 'Transaction', width: 16, format: 'id', value: ({ row }) => row.id },
        { title: 'Method', width: 14, format: 'status', value: ({ method }) => method },
        { title: 'Stratum', width: 22, format: 'text', value: ({ stratum }) => stratum },
        { title: 'Population', width: 11, format: 'count', value: ({ population }) => population },
        {
          title: 'Population amount',
          width: 16,
          format: 'money',
          value: ({ populationAmount }) => populationAmount,
          note: 'Sum of gross amounts without their signs.',
        },
        { title: 'Draw', width: 7, format: 'count', value: ({ order }) => order },
        { title: 'Kind', width: 8, format: 'status', value: ({ row }) => row.kind },
        { title: 'State', width: 7, format: 'status', value: ({ row }) => row.state },
        { title: 'Gross', width: 13, format: 'money', value: ({ row }) => row.gross },
        { title: 'Collected', width: 12, format: 'money', value: ({ row }) => row.collected },
        { title: 'Expected', width: 12, format: 'money', value: ({ row }) => row.expected },
        { title: 'Channel', width: 12, format: 'text', value: ({ row }) => row.channel },
        { title: 'File', width: 24, format: 'text', value: ({ row }) => row.file },
        { title: 'Line', width: 8, format: 'count', value: ({ row }) => row.line },
      ],
    }),
    draws,
  );
