import { linesToDecide, type PeriodReport } from '../../figures/period-report.ts';
import { linesOfReason } from '../../reconcile/decide-lines.ts';
import type { Readiness, ReadinessKind } from '../../reconcile/readiness.ts';
import type { StillOpen } from '../../workbook/checks-sheet.ts';
import { quoted } from '../../workbook/references.ts';
import { defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';

type ReadinessRow = Pick<Readiness['reasons'][number], 'code' | 'state' | 'what' | 'effect' | 'todo'> & {
  readonly kind: string;
  /** Numbers of the matching lines in Decide. */
  readonly lines: string;
  readonly decision: 'open' | 'accepted';
  readonly why: string;
};

/** The kinds of reasons as the sheet shows them. */
export const KIND_NAMES: Readonly<Record<ReadinessKind, string>> = {
  open: 'Open exception',
  gap: 'Rate missing in Tieout',
  unexplained: 'Unexplained variance',
  period: 'Return of a shorter period',
  check: 'Check does not hold',
};

export const READINESS = defineSheet<ReadinessRow>({
  name: 'Readiness',
  table: 'Readiness',
  title: 'Readiness: what to decide or to do before the period is filed',
  note: 'The period is READY when no row is open. A rate that is missing in Tieout is a limit of Tieout, not an error of the shop. The sheet Decide of variance.xlsx has these lines with what to do. The list is the same in both workbooks.',
  columns: [
    { title: 'Code', width: 10, format: 'status', value: ({ code }) => code },
    { title: 'What', width: 64, format: 'text', value: ({ what }) => what, wrap: true },
    { title: 'Kind', width: 16, format: 'text', value: ({ kind }) => kind },
    { title: 'State', width: 16, format: 'status', value: ({ state }) => state },
    { title: 'Effect on tax', width: 14, format: 'change', value: ({ effect }) => effect },
    { title: 'Line in Decide', width: 12, format: 'text', value: ({ lines }) => lines },
    {
      title: 'Decision',
      width: 11,
      format: 'status',
      value: ({ decision }) => decision,
      flag: ({ decision }) => (decision === 'open' ? 'attention' : undefined),
    },
    { title: 'Why accepted', width: 20, format: 'text', value: ({ why }) => why, wrap: true },
  ],
});

/** Lists the reasons why the period cannot be filed, and the gaps that the policy accepts. */
export const readinessRows = (report: PeriodReport): readonly ReadinessRow[] => {
  const { reasons, accepted } = report.readiness;
  const lines = linesToDecide(report);
  return [
    ...reasons.map((reason) => ({
      ...reason,
      lines: linesOfReason(lines, reason)
        .map(({ no }) => no)
        .join(', '),
      kind: KIND_NAMES[reason.kind],
      decision: 'open' as const,
      why: '',
    })),
    ...accepted.map((gap) => ({
      ...gap,
      lines: '',
      kind: KIND_NAMES.gap,
      decision: 'accepted' as const,
      todo: '',
    })),
  ];
};

export const readinessSheet = (report: PeriodReport): FilledSheet => filled(READINESS, readinessRows(report));

/** The open items that the Checks of a book count besides their own rows, so that both books show the same result. */
export const stillOpen = ({ reasons }: Readiness): StillOpen => ({
  formula: (at) => at.countIfs('Readiness', { Decision: quoted('open') }),
  count: reasons.length,
});
