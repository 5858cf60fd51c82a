import type { Readiness, ReadinessKind } from '../../reconcile/readiness.ts';
import type { StillOpen } from '../../workbook/checks-sheet.ts';
import { quoted } from '../../workbook/references.ts';
import { defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';

type ReadinessRow = Omit<Readiness['reasons'][number], 'kind' | 'record'> & {
  readonly kind: string;
  readonly decision: 'open' | 'accepted';
  readonly why: string;
};

/** The kinds of reasons as the sheet has them. */
export const KIND_NAMES: Readonly<Record<ReadinessKind, string>> = {
  open: 'Open exception',
  gap: 'Rate missing in Tieout',
  unexplained: 'Unexplained variance',
  check: 'Check does not hold',
};

const READINESS = defineSheet<ReadinessRow>({
  name: 'Readiness',
  table: 'Readiness',
  title: 'Readiness: what to decide or to do before the period is filed',
  note: 'The period is READY when no row is open. A rate that is missing in Tieout is a limit of Tieout, not an error of the shop. The list is the same in variance.xlsx and in filing-summary.xlsx.',
  freeze: { columns: 1 },
  columns: [
    { title: 'Kind', width: 22, format: 'text', value: ({ kind }) => kind },
    { title: 'Code', width: 20, format: 'status', value: ({ code }) => code },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    { title: 'What', width: 64, format: 'text', value: ({ what }) => what, wrap: true },
    { title: 'Tax at stake', width: 14, format: 'money', value: ({ effect }) => effect },
    { title: 'What to do', width: 56, format: 'text', value: ({ todo }) => todo, wrap: true },
    {
      title: 'Decision',
      width: 11,
      format: 'status',
      value: ({ decision }) => decision,
      flag: ({ decision }) => (decision === 'open' ? 'attention' : undefined),
    },
    { title: 'Why accepted', width: 36, format: 'text', value: ({ why }) => why, wrap: true },
  ],
});

/** Everything that keeps the period from being filed, and the gaps that the policy accepts. */
export const readinessSheet = ({ reasons, accepted }: Readiness): FilledSheet =>
  filled(READINESS, [
    ...reasons.map((reason) => ({
      ...reason,
      kind: KIND_NAMES[reason.kind],
      decision: 'open' as const,
      why: '',
    })),
    ...accepted.map((gap) => ({
      ...gap,
      kind: KIND_NAMES.gap,
      todo: '',
      decision: 'accepted' as const,
    })),
  ]);

/** What the Checks of a book count besides their own rows, so that each book comes to the same word. */
export const stillOpen = ({ reasons }: Readiness): StillOpen => ({
  formula: (at) => at.countIfs('Readiness', { Decision: quoted('open') }),
  count: reasons.length,
});
