import { atLeastZero, subtract, ZERO } from '../../../kernel/money.ts';
import { shownMoney } from '../../../kernel/text.ts';
import { sourceNames } from '../law/law-row.ts';
import type { Completion } from '../registration.ts';
import type { FeeFigures } from '../state-figures.ts';
import { hasLocalSchedule } from './schedule-rows.ts';
import { amountOf, checkPasses, type FilledReturn, type ReturnCheck } from './tax-return.ts';

/** Explains missing rates, for the first line of the return. */
export const gapNote = ({ figures: { gap, state } }: Pick<FilledReturn, 'figures'>): string =>
  `Local rates of ${state} are missing in Tieout: ${gapText(gap)}. It is remitted as collected and is not excess tax; check it against the rates of the state before you file.`;

/** Where a period takes back as many sales as it has, or more, the tax is of both: no number of sales says whose. */
const gapText = ({ sales, tax }: FilledReturn['figures']['gap']): string =>
  sales > 0
    ? `${shownMoney(tax)} was collected under them on ${sales} ${sales === 1 ? 'sale' : 'sales'}`
    : `with corrections of filed sales, ${shownMoney(tax)} was collected under them`;

/** Says what the amount due lacks of the tax on the seller's own purchases. */
export const useTaxNote = ({
  form,
  values: { purchases },
  useTax,
}: Pick<FilledReturn, 'form' | 'values' | 'useTax'>): readonly string[] => {
  if (purchases === ZERO) return [];
  if (form.purchasesOn !== undefined)
    return [
      `Use tax on your purchases of ${shownMoney(purchases)} is not in this amount: report it on ${form.purchasesOn.form}.`,
    ];
  return hasLocalSchedule(form)
    ? [
        `Use tax on your purchases, ${shownMoney(useTax)}, is at the rate of the state alone: add local use tax where the place of use has one.`,
      ]
    : [];
};

const feeNote = ({ rule, sales, due, excess }: FeeFigures): string => {
  const owed = `${rule.name}: ${sales} ${sales === 1 ? 'order owes' : 'orders owe'} it`;
  const amount =
    rule.amount === undefined
      ? `what it comes to is not known here, and what was charged, ${shownMoney(excess)}, is remitted`
      : `${shownMoney(due)}, and ${shownMoney(excess)} was charged above it`;
  return `${owed}: ${amount}. ${rule.limits}`;
};

/** Lists what the shorter returns settled that a return completes, and of which of them it is not known. */
const completionNotes = ({ returns, notKnown }: Completion): readonly string[] => [
  returns.length === 0
    ? 'Nothing was paid with a return of a shorter period.'
    : `Among the prepayments is what the returns of shorter periods settled, in their last versions: ${returns.map(({ period, settled }) => `${period} ${shownMoney(settled)}`).join(', ')}.`,
  ...(notKnown.length === 0
    ? []
    : [
        `What was paid for ${notKnown.join(', ')} is not known, because it was not closed here or is NOT READY: close it, or add what was paid to the prepayments.`,
      ]),
];

/** Lists what the person who files must know beyond the lines. */
export const notesOf = (filled: FilledReturn, checks: readonly ReturnCheck[]): readonly string[] => {
  const { form, schedules, listed, figures, values, basis, lines, useTax, registration } = filled;
  const notes: string[] = registration.completes ? [...completionNotes(registration.completes)] : [];
  if (form.verified === false)
    notes.push('This form is not verified: check every line against the official form.');
  if (form.note !== undefined) notes.push(form.note);
  const { marketplace } = form;
  if (figures.marketplace !== 0 && marketplace.verified === false) {
    notes.push(`How marketplace sales are reported is not verified. ${marketplace.note ?? ''}`.trim());
  }
  const added = subtract(subtract(amountOf(lines, 'tax'), useTax), values.computed);
  if (form.basis.verified === false && basis === form.basis.rule && added !== 0) {
    notes.push(
      `${shownMoney(added)} is added by the rule "${basis}" of most states; that of this state is not verified.`,
    );
  }
  if (figures.beforeDuty !== 0) {
    notes.push(
      `Sales of ${shownMoney(figures.beforeDuty)} are of days before the registration: in the sales of this return, untaxed, and among its exempt sales where the form has no line for them.`,
    );
  }
  const overcharged = subtract(subtract(figures.collected, figures.expected), values.missing_rates);
  const netted = subtract(figures.excessCollected, atLeastZero(overcharged));
  if (netted > 0) {
    notes.push(
      `Overcharged on individual sales: ${shownMoney(figures.excessCollected)}, of which ${shownMoney(netted)} is netted against undercharges.`,
    );
  }
  for (const { schedule, rows } of schedules) {
    const missing = rows.filter(({ code }) => code === '').length;
    if (listed !== undefined && rows.length > 0)
      notes.push(
        `${schedule.title}: ${missing === 0 ? 'every row has a code' : `${missing} of ${rows.length} rows have no code`}. Codes: ${sourceNames(listed.sources)}.`,
      );
    if (schedule.note !== undefined && rows.length > 0) notes.push(`${schedule.title}: ${schedule.note}`);
  }
  if (figures.kind === 'place' && figures.orders + figures.refunds === 0)
    notes.push('No sale of the period went there: see how the registration spells its name.');
  notes.push(...useTaxNote(filled));
  for (const fee of figures.fees) notes.push(feeNote(fee));
  for (const check of checks) {
    if (checkPasses(check)) continue;
    notes.push(
      `Does not hold: ${check.test} ${shownMoney(check.left)} against ${shownMoney(check.right)}. Goods at another rate than the form's, or a tax that is not due to this state, make such a difference.`,
    );
  }
  return notes;
};
