import { formatMoney, subtract } from '../../../../kernel/money.ts';
import { formatPercent } from '../../../../kernel/rate.ts';
import { sourceText } from '../../../filing/law/law-row.ts';
import { gapNote } from '../../../filing/return/return-notes.ts';
import { checkPasses, type TaxReturn } from '../../../filing/return/tax-return.ts';
import type { UploadFile } from '../../../filing/upload/upload-file.ts';
import type { StateReturn } from '../../period-filing.ts';

type Note = readonly [label: string, text: string];

/** What a person who files a return should know beside its lines: a label and a text each. */
export const aboutReturn = (
  { filed, dueDate, coverage }: StateReturn,
  uploads: readonly UploadFile[],
): readonly Note[] => {
  const { form, figures } = filed;
  return [
    ...(figures.gap.sales === 0 ? [] : [['Rates', gapNote(filed)] as const]),
    ...(coverage === 'whole' ? [] : [['Period', COVERAGE[coverage]] as const]),
    ...(form.required
      ? [
          [
            'Required',
            `Above $${formatMoney(form.required.above)} of tax. Source: ${sourceText(form.required.sources)}. ${form.required.note ?? ''}`,
          ] as const,
        ]
      : []),
    ['Form', `${form.form}, ${form.revision}. ${verifiedText(form.verified)}`],
    ['Source', sourceText(form.sources) || 'None'],
    ['Due', `${dueDate.working.join(' ')}${dueDate.isVerified ? '' : ' This rule is not verified.'}`],
    ...(figures.kind === 'fee' ? [] : [['Rule', basisText(filed)] as const]),
    ...discountNotes(filed),
    ...uploads.flatMap(uploadNotes),
    ...filed.notes.map((note, index) => [`Note ${index + 1}`, note] as const),
  ];
};

const COVERAGE = {
  part: 'This close covers a part of the return’s period: these are not yet the figures to file.',
  several: 'This close covers more than the return’s period: these are not the figures to file.',
} as const;

const verifiedText = (verified: string | false): string =>
  verified === false ? 'Not verified against the official form.' : `Last verified ${verified}.`;

const basisText = ({ basis, figures, values, remittance, rounding }: TaxReturn): string => {
  const { collected, expected } = figures;
  const rule =
    basis === 'greater'
      ? `Remit the greater of collected (${formatMoney(collected)}) and expected (${formatMoney(expected)})`
      : `Remit the tax ${basis} (collected ${formatMoney(collected)}, expected ${formatMoney(expected)})`;
  const gaps =
    figures.gap.sales === 0
      ? ''
      : ` It includes ${formatMoney(values.gaps)} collected under local rates that Tieout does not have.`;
  return `${rule}: ${formatMoney(remittance)}. Form rounding (R22) ${formatMoney(rounding)}.${gaps}`;
};

const discountNotes = (filed: TaxReturn): readonly Note[] => {
  const { discount } = filed;
  if (!discount.rule) return [];
  const [tier] = discount.rule.tiers;
  const rate = tier ? `${formatPercent(tier.rate)} of ${formatMoney(discount.base)}. ` : '';
  return [['Discount', `${formatMoney(filed.discount.claimed)}: ${rate}${discount.why}`]];
};

const uploadNotes = ({
  name,
  format,
  rows,
  control,
  checks,
  notes,
  isDraft,
}: UploadFile): readonly Note[] => [
  [
    'Upload file',
    `${name}: ${format}, ${rows} rows; ${control.what} ${formatMoney(control.amount)}${isDraft ? '. Complete it before you send it' : ''}`,
  ],
  ...checks
    .filter((check) => !checkPasses(check))
    .map(
      ({ test, left, right }): Note => [
        'Differs',
        `${test} Difference ${formatMoney(subtract(left, right))}`,
      ],
    ),
  ...notes.map((note): Note => ['', note]),
];
