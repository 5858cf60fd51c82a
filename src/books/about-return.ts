import type { PayRow } from '../figures/pay-list.ts';
import { insteadText } from '../figures/pay-todo.ts';
import type { StateReturn } from '../figures/period-filing.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { DueDate } from '../filing/dates.ts';
import { sourceNames } from '../filing/law-row.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import { gapNote } from '../filing/return-notes.ts';
import { hasGap, type StateFigures } from '../filing/state-figures.ts';
import { checkPasses, filedBefore, type LongerReturn, type TaxReturn } from '../filing/tax-return.ts';
import type { UploadFile } from '../filing/upload-files.ts';
import { subtract } from '../kernel/money.ts';
import { shownMoney } from '../kernel/text.ts';

/** What a person who files a return should know besides its lines: a label and a text. */
export type Note = readonly [label: string, text: string];

/** Lists the notes of a return. */
export const aboutReturn = (
  report: PeriodReport,
  { filed, dueDate }: StateReturn,
  pay: PayRow,
  uploads: readonly UploadFile[],
): readonly Note[] => {
  const { form, figures, registration } = filed;
  const { instead } = pay;
  return [
    ...pay.steps.map((step): Note => ['To do', step]),
    ...ratesNotes(report, pay),
    ...(hasGap(figures) ? [['Rates', gapNote(filed)] as const] : []),
    ...secondaryNotes(figures, registration),
    ...(form.required ? [['Required', requiredText(filed, form.required, instead)] as const] : []),
    [
      'Form',
      `${form.form}, ${form.revision}. ${verifiedText(form.verified)} ${sourceNames(form.sources) || 'No form was seen.'}`,
    ],
    ['Due', dueText(instead?.dueDate ?? dueDate)],
    ...uploads.flatMap(uploadNotes),
    ...filed.notes.map((note, index): Note => [`Note ${index + 1}`, note]),
  ];
};

/** Says of which months the state wants the return, and where the tax of others goes. */
const requiredText = (
  filed: TaxReturn,
  { above, months, note, sources }: NonNullable<TaxReturn['form']['required']>,
  instead: LongerReturn | undefined,
): string =>
  [
    `Only ${above === undefined ? '' : `above $${shownMoney(above)} of tax, `}for months ${months.join(', ')}.`,
    ...(instead ? [`${insteadText(instead)}.`] : []),
    ...(filedBefore(filed) ? ['One that was filed is amended whatever its tax is.'] : []),
    ...(note ? [note] : []),
    `Source: ${sourceNames(sources)}.`,
  ].join(' ');

/** Says where the rates of a state come from, and until when its local ones are known. */
const ratesNotes = ({ rateSources, period }: PeriodReport, { state }: PayRow): readonly Note[] =>
  rateSources
    .filter((each) => each.state === state)
    .map(({ source, until }) => {
      const old = until < period.last ? ', before the period ends: compare them with the state’s' : '';
      return ['Rates', `${source}${until === '' ? '' : `; local rates known until ${until}${old}`}.`];
    });

const secondaryNotes = (
  { jurisdictions }: StateFigures,
  { secondary }: FilingRegistration,
): readonly Note[] => {
  const names = new Set(jurisdictions.map(({ name }) => name));
  const ofReturn = secondary?.names.filter((name) => names.has(name)) ?? [];
  if (!secondary || ofReturn.length === 0) return [];
  const text = `${ofReturn.join(', ')}: rates from secondary sources, known until ${secondary.until}. Compare them before you file.`;
  return [['Rates', text]];
};

const dueText = ({ working, isVerified }: DueDate): string =>
  `${working.join(' ')}${isVerified ? '' : ' This due date is not verified: look it up.'}`;

const verifiedText = (verified: string | false): string =>
  verified === false ? 'Its lines are not verified against the official form.' : `Last verified ${verified}.`;

const uploadNotes = ({ name, checks }: UploadFile): readonly Note[] => [
  ['Upload file', name],
  ...checks
    .filter((check) => !checkPasses(check))
    .map(
      ({ test, left, right }): Note => ['Differs', `${test} Difference ${shownMoney(subtract(left, right))}`],
    ),
];
