import { add } from '../../../kernel/money.ts';
import { hasReversals, type StatedReason } from '../../reconcile/period-totals.ts';
import { REASONS } from '../../reconcile/reason.ts';
import { type Criteria, quoted, type References } from '../../workbook/references.ts';
import { type Column, defineSheet, type TableSheet } from '../../workbook/sheet.ts';
import { count, summed, word, words } from './columns.ts';
import { reasonPlaces } from './detail.ts';

type Places = ReturnType<typeof reasonPlaces>;

const netOf =
  (places: Places) =>
  (at: References): string =>
    `ROUND(${places.map(({ reason, amount }) => at.sumIfs('Detail', amount, { [reason]: at.cell('Code') })).join('+')},2)`;

/** Sums the amounts of one reason on one side of zero, in all rows or in those that this selects. */
const sumOf = (places: Places, at: References, sign: '>0' | '<0', rows: Criteria = {}): string =>
  places
    .map(({ reason, amount }) =>
      at.sumIfs('Detail', amount, { [reason]: at.cell('Code'), [amount]: quoted(sign), ...rows }),
    )
    .join('+');

/** Sums up what was charged too much, or too little; reversals are moved to the side of what they reverse. */
const onSide =
  (places: Places, sign: '>0' | '<0', isReversed: boolean) =>
  (at: References): string => {
    const moved = isReversed ? `${sign === '>0' ? '-' : '+'}${at.cell('Reversed')}` : '';
    return `ROUND(${sumOf(places, at, sign)}${moved},2)`;
  };

const reversed = (places: Places): Column<StatedReason> =>
  summed('Reversed', 14, ({ reversed }) => reversed, {
    formula: (at) => {
      const rows = { Reversal: quoted('Yes') };
      return `ROUND(${sumOf(places, at, '>0', rows)}-(${sumOf(places, at, '<0', rows)}),2)`;
    },
    note: 'Amounts of the rows that Detail marks as reversals, added up without their signs. Over and Under count them on the side of what they reverse.',
  });

/** Counts the sales of a reason. A sale that has it in two places counts once, at the first of them. */
const salesOf =
  (places: Places) =>
  (at: References): string => {
    const code = at.cell('Code');
    const isOther = `${quoted('<>')}&${code}`;
    const parts = places.map(({ reason }, index) => {
      const before = places.slice(0, index).map((place) => [place.reason, isOther]);
      return at.countIfs('Detail', { [reason]: code, ...Object.fromEntries(before) });
    });
    return parts.join('+');
  };

/** The variance of the period by the reason that proves it. */
export const byReason = (reasons: readonly StatedReason[]): TableSheet<StatedReason> => {
  const [places, isReversed] = [reasonPlaces(reasons), hasReversals(reasons)];
  return defineSheet<StatedReason>({
    name: 'Reasons',
    table: 'By_reason',
    title: 'Reasons: the variance by the reason that proves it',
    note: 'Tax collected less tax expected, every cent under one reason. R99 is what no rule explains. Decide says what each reason means and what to do; docs/reasons.md explains all of them.',
    freeze: { columns: 1 },
    columns: [
      word('Code', 8, ({ code }) => code),
      words('Reason', 32, ({ code }) => REASONS[code].name),
      count('Sales', 9, ({ sales }) => sales, {
        formula: salesOf(places),
        note: 'Orders and refunds with this reason. One with several reasons counts under each, so the counts are not added up: Detail has each once.',
      }),
      summed('Over', 14, ({ over }) => over, {
        formula: onSide(places, '>0', isReversed),
        note: isReversed
          ? 'Charged above what was due, less what reversals take back of it; below zero where that is more.'
          : 'Charged above what was due.',
      }),
      summed('Under', 14, ({ under }) => under, {
        formula: onSide(places, '<0', isReversed),
        note: isReversed
          ? 'Charged below what was due, less what reversals take back of it; above zero where that is more.'
          : 'Charged below what was due.',
      }),
      summed('Net', 14, ({ over, under }) => add(over, under), { formula: netOf(places) }),
      ...(isReversed ? [reversed(places)] : []),
    ],
  });
};
