import { type Money, negate, subtract, ZERO } from '../../../../kernel/money.ts';
import { shownMoney } from '../../../../kernel/text.ts';
import type { PayRow } from '../../../figures/pay-list.ts';
import { insteadText, smallSellerText } from '../../../figures/pay-todo.ts';
import { isOnLockedReturn, type StateReturn } from '../../../figures/period-filing.ts';
import type { DueDate } from '../../../filing/dates.ts';
import { sourceNames } from '../../../filing/law-row.ts';
import type { FilingRegistration } from '../../../filing/registration.ts';
import { gapNote } from '../../../filing/return-notes.ts';
import { hasGap, type StateFigures } from '../../../filing/state-figures.ts';
import { amountOf, checkPasses, filedBefore, type TaxReturn } from '../../../filing/tax-return.ts';
import type { UploadFile } from '../../../filing/upload-parts.ts';
import type { DecideLine } from '../../../reconcile/decide-lines.ts';

type Note = readonly [label: string, text: string];

/** Lists what a person who files a return should know besides its lines: a label and a text each. */
export const aboutReturn = (
  given: StateReturn,
  { instead, unproved, unprovedDue }: Pick<PayRow, 'instead' | 'unproved' | 'unprovedDue'>,
  uploads: readonly UploadFile[],
): readonly Note[] => {
  const { filed, dueDate, coverage } = given;
  const { form, figures, registration } = filed;
  const covered = isOnLockedReturn(given) ? 'locked' : coverage;
  return [
    ...(hasGap(figures) ? [['Rates', gapNote(filed)] as const] : []),
    ...secondaryNotes(figures, registration),
    ...unproved.map((line) => ['Exempt', unprovedText(line, unprovedDue)] as const),
    ...(covered === 'whole' ? [] : [['Period', COVERAGE[covered]] as const]),
    ...(form.required
      ? [
          [
            'Required',
            `Only ${form.required.above === undefined ? '' : `above $${shownMoney(form.required.above)} of tax, `}for months ${form.required.months.join(', ')}. ${instead ? `${insteadText(instead)}. ` : ''}${filedBefore(filed) ? 'One that was filed is amended whatever its tax is. ' : ''}${smallSellerText(form)}Source: ${sourceNames(form.required.sources)}.`,
          ] as const,
        ]
      : []),
    [
      'Form',
      `${form.form}, ${form.revision}. ${verifiedText(form.verified)} ${sourceNames(form.sources) || 'No form was seen.'}`,
    ],
    ['Due', dueText(instead?.dueDate ?? dueDate)],
    ...(figures.kind === 'fee' ? [] : [['Rule', basisText(filed)] as const]),
    ...uploads.flatMap(uploadNotes),
    ...filed.notes.map((note, index) => [`Note ${index + 1}`, note] as const),
  ];
};

/** The bodies of a return that its note about secondary sources names; it counts the others. */
const NAMED_MAX = 10;

const secondaryNotes = (
  { jurisdictions }: StateFigures,
  { secondary }: FilingRegistration,
): readonly Note[] => {
  const names = new Set(jurisdictions.map(({ name }) => name));
  const ofReturn = secondary?.names.filter((name) => names.has(name)) ?? [];
  if (!secondary || ofReturn.length === 0) return [];
  const more = ofReturn.length > NAMED_MAX ? ` and ${ofReturn.length - NAMED_MAX} more` : '';
  const text = `${ofReturn.slice(0, NAMED_MAX).join(', ')}${more}: rates from secondary sources, known until ${secondary.until}. Compare them before you file.`;
  return [['Rates', text]];
};

const unprovedText = ({ no, records, effect, decision }: DecideLine, due: Money): string =>
  `By decision, without a valid certificate: ${records.join(', ')}, $${shownMoney(negate(effect))} of tax. If none comes, ${due === ZERO ? 'nothing more is due: the return has as much tax collected above the tax computed' : `at most $${shownMoney(due)} more is due on this return`}. ${no} in Decide of variance.xlsx: ${decision?.why ?? ''}.`;

const dueText = ({ working, isVerified }: DueDate): string =>
  `${working.join(' ')}${isVerified ? '' : ' This due date is not verified: look it up.'}`;

const COVERAGE = {
  part: 'Part of the return’s period: not yet the figures to file.',
  locked:
    'This close covers a part of the return’s period, and that return was filed: its amended return has the figures to file.',
  several: 'This close covers more than the return’s period: these are not the figures to file.',
} as const;

const verifiedText = (verified: string | false): string =>
  verified === false ? 'Its lines are not verified against the official form.' : `Last verified ${verified}.`;

const basisText = ({ basis, figures, values, lines, useTax, remittance }: TaxReturn): string => {
  const [collected, computed] = [figures.collected, values.computed].map(shownMoney);
  const rule =
    basis === 'greater'
      ? `Greater of collected ${collected} and computed ${computed}`
      : `The tax ${basis}: collected ${collected}, computed ${computed}`;
  const onForm = subtract(amountOf(lines, 'tax'), useTax);
  const rounded = remittance === onForm ? '' : ` By sale, ${shownMoney(remittance)} (R22).`;
  const gaps = hasGap(figures)
    ? ` ${shownMoney(values.missing_rates)} was collected under local rates that Tieout does not have.`
    : '';
  return `${rule}; on the form ${shownMoney(onForm)}.${rounded}${gaps}`;
};

const uploadNotes = ({ name, format, rows, control, checks, notes }: UploadFile): readonly Note[] => [
  ['Upload file', `${name}: ${format}, ${rows} rows; ${control.what} ${shownMoney(control.amount)}`],
  ...checks
    .filter((check) => !checkPasses(check))
    .map(
      ({ test, left, right }): Note => ['Differs', `${test} Difference ${shownMoney(subtract(left, right))}`],
    ),
  ...notes.map((note): Note => ['', note]),
];
