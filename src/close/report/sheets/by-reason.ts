import { add } from '../../../kernel/money.ts';
import type { ReasonTotals } from '../../reconcile/period-totals.ts';
import { REASONS } from '../../reconcile/reason.ts';
import type { REASONS_MAX } from '../../reconcile/reason-places.ts';
import { partOf, VARIANCE_PARTS } from '../../reconcile/variance-part.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** The column pairs of Detail that can hold a reason: one for each that a sale can have. */
export const REASON_PLACES = [
  { reason: 'Reason', amount: 'Reason amount' },
  { reason: 'Second reason', amount: 'Second amount' },
  { reason: 'Third reason', amount: 'Third amount' },
] as const satisfies { readonly length: typeof REASONS_MAX };

const netOf = (at: References): string =>
  `ROUND(${REASON_PLACES.map(({ reason, amount }) => at.sumIfs('Detail', amount, { [reason]: at.cell('Code') })).join('+')},2)`;

/** Sums the amounts of one reason on one side of zero. */
const onSide =
  (side: '>0' | '<0') =>
  (at: References): string => {
    const parts = REASON_PLACES.map(({ reason, amount }) =>
      at.sumIfs('Detail', amount, { [reason]: at.cell('Code'), [amount]: quoted(side) }),
    );
    return `ROUND(${parts.join('+')},2)`;
  };

/** Counts the sales of a reason. A sale that has it in two places counts once, at the first of them. */
const salesOf = (at: References): string => {
  const code = at.cell('Code');
  const isOther = `${quoted('<>')}&${code}`;
  const parts = REASON_PLACES.map(({ reason }, index) => {
    const before = REASON_PLACES.slice(0, index).map((place) => [place.reason, isOther]);
    return at.countIfs('Detail', { [reason]: code, ...Object.fromEntries(before) });
  });
  return parts.join('+');
};

/** The variance of the period by the reason that proves it: the first table of the sheet Bridge. */
export const BY_REASON = defineSheet<ReasonTotals>({
  name: 'Bridge',
  table: 'By_reason',
  title: 'Bridge: the variance by the reason that proves it',
  note: 'Tax collected less tax expected, every cent under one reason. R99 is what no rule explains. Decide says what each reason means and what to do; docs/reasons.md explains all of them.',
  freeze: { columns: 1 },
  columns: [
    { title: 'Code', width: 8, format: 'status', value: ({ code }) => code },
    { title: 'Reason', width: 32, format: 'text', value: ({ code }) => REASONS[code].name },
    {
      title: 'Sales',
      width: 9,
      format: 'count',
      value: ({ sales }) => sales,
      formula: salesOf,
      note: 'Orders and refunds with this reason. One with several reasons counts under each, so the counts are not added up: Detail has each once.',
    },
    {
      title: 'Over',
      width: 14,
      format: 'money',
      value: ({ over }) => over,
      formula: onSide('>0'),
      total: 'sum',
      note: 'Charged above what was due.',
    },
    {
      title: 'Under',
      width: 14,
      format: 'money',
      value: ({ under }) => under,
      formula: onSide('<0'),
      total: 'sum',
      note: 'Charged below what was due.',
    },
    {
      title: 'Net',
      width: 14,
      format: 'money',
      value: ({ over, under }) => add(over, under),
      formula: netOf,
      total: 'sum',
    },
    { title: 'Part', width: 20, format: 'text', value: ({ code }) => VARIANCE_PARTS[partOf(code)] },
  ],
});
